/// The network's own token, indices, vesting and claims.
extension RoleTable {
    static let balances = """
        Balances transfer_keep_alive dest=to value=sent
        Balances transfer_allow_death|transfer dest=to value=sent !empties
        Balances transfer_all dest=to !all
        Balances force_transfer source=from dest=to value=sent
        Balances burn value=burnt !destroys
        Balances force_unreserve who=~chain amount=set
        Balances force_set_balance who=loses new_free=set
        Balances set_balance who=loses new_free=set new_reserved=set
        Balances set_balance_deprecated who=loses new_free=set old_reserved=set
        Balances force_adjust_total_issuance delta=set !chain
        *Balances upgrade_accounts who=~helped
        # The same pallet for another token.
        NisCounterpartBalances transfer_keep_alive dest=to value=sent/self
        NisCounterpartBalances transfer_allow_death|transfer dest=to value=sent/self !empties
        NisCounterpartBalances transfer_all dest=to !all
        NisCounterpartBalances force_transfer source=from dest=to value=sent/self
        NisCounterpartBalances burn value=burnt/self !destroys
        NisCounterpartBalances force_unreserve who=~chain amount=set/self
        NisCounterpartBalances force_set_balance who=loses new_free=set/self
        NisCounterpartBalances set_balance_deprecated who=loses new_free=set/self old_reserved=set/self
        NisCounterpartBalances force_adjust_total_issuance delta=set/self !chain

        Indices free|poke_deposit
        Indices claim !pays
        # Its deposit is slashed, and it goes with the account for ever.
        Indices freeze !pays !destroys
        Indices transfer new=owner
        Indices force_transfer new=owner

        Vesting vest|merge_schedules|claim
        Vesting vest_other target=~helped
        Vesting claim_for dest=~helped
        # The one of `polkadot-sdk`, and that of ORML, which says how much is locked by period.
        Vesting vested_transfer target=to dest=to schedule.locked=sent schedule.per_block=limit \
        schedule.per_period=sent schedule.period_count=times
        Vesting force_vested_transfer source=from target=to schedule.locked=sent schedule.per_block=limit
        Vesting force_remove_vesting_schedule target=loses
        Vesting update_vesting_schedules who=loses vesting_schedules.per_period=set

        Claims claim|claim_attest dest=to
        Claims attest
        Claims mint_claim who=to value=minted vesting_schedule=set
        Claims move_claim old=from new=to maybe_preclaim=to

        CrowdloanRewards claim|complete_initialization
        CrowdloanRewards associate_native_identity reward_account=to
        CrowdloanRewards change_association_with_relay_keys reward_account=to previous_account=loses
        CrowdloanRewards initialize_reward_vec rewards=to
        CrowdloanRewards update_reward_address new_reward_account=to

        # The call inside pays its fees in another asset.
        TransactionPayment with_fee_currency currency_id=asset !pays
        TransactionPayment with_fee_aggregated_path|with_fee_path !pays
        TransactionPayment set_alternative_fee_swap_path|disable_charge_fee_pool
        TransactionPayment enable_charge_fee_pool pool_size=set/? swap_threshold=set/? !chain
        MultiTransactionPayment set_currency|add_currency|remove_currency
        Duster dust_account account=loses
        Duster add_nondustable_account|remove_nondustable_account account=~chain
        """
}
