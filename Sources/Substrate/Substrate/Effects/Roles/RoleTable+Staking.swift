/// Staking, pools, collators, liquid staking and loans.
extension RoleTable {
    static let staking = """
        Staking bond controller=rights value=bonded payee=to
        Staking bond_extra max_additional=bonded
        Staking unbond|rebond value=limit
        Staking nominate targets=~nominee
        Staking set_payee payee=to !keys
        Staking set_controller controller=rights !keys
        Staking update_payee controller=~helped
        Staking kick who=loses
        Staking payout_stakers|payout_stakers_by_page|force_apply_min_commission validator_stash=~helped
        Staking reap_stash stash=~helped
        Staking migrate_currency stash=~helped
        Staking chill_other controller=loses stash=loses
        Staking force_unstake|manual_slash stash=loses validator_stash=loses
        Staking apply_slash slash_key=loses
        Staking cancel_deferred_slash validator_slashes=~chain
        Staking deprecate_controller_batch controllers=~chain
        Staking restore_ledger stash=loses maybe_controller=rights maybe_total=set maybe_unlocking.value=set
        Staking set_invulnerables invulnerables=~chain
        Staking set_staking_configs|set_staking_limits|update_staking_limits min_nominator_bond=set min_validator_bond=set !chain
        Staking chill|validate|withdraw_unbonded|set_min_commission|scale_validator_count|set_validator_count
        Staking increase_validator_count|force_new_era|force_new_era_always|force_no_eras|prune_era_step
        Staking submit_election_solution|submit_election_solution_unsigned|set_history_depth
        # Staking of Basilisk and HydraDX.
        Staking initialize_staking|claim|unstake
        Staking stake amount=bonded/self
        Staking increase_stake amount=bonded/self
        FastUnstake register_fast_unstake !pays
        FastUnstake deregister|control
        BagsList|VoterList rebag dislocated=~helped
        BagsList|VoterList put_in_front_of lighter=~helped
        BagsList|VoterList put_in_front_of_other heavier=~helped lighter=~helped
        # With a deposit that is slashed where the solution is wrong.
        ElectionProviderMultiPhase submit raw_solution=~evidence !pays
        ElectionProviderMultiPhase submit_unsigned raw_solution=~evidence
        ElectionProviderMultiPhase governance_fallback
        ElectionProviderMultiPhase set_emergency_election_result|set_minimum_untrusted_score supports=~chain \
        maybe_next_score=~chain !chain
        MultiBlockElection manage op=~chain !chain
        MultiBlockElectionSigned register claimed_score=~evidence !pays
        MultiBlockElectionSigned bail|submit_page !pays
        MultiBlockElectionSigned clear_old_round_data
        MultiBlockElectionSigned set_invulnerables inv=~chain
        MultiBlockElectionUnsigned submit_unsigned paged_solution=~evidence
        StakingAhClient set_keys_from_ah|purge_keys_from_ah stash=~chain !chain
        StakingAhClient validator_set report=~chain !chain
        StakingAhClient force_on_migration_end|set_mode !chain
        StakingRcClient relay_new_offence_paged offences=~chain !chain
        StakingRcClient relay_session_report report=~chain !chain
        StakingRcClient set_keys !keys
        StakingRcClient purge_keys

        NominationPools join amount=bonded
        NominationPools bond_extra extra=bonded
        NominationPools bond_extra_other member=to extra=bonded
        NominationPools claim_payout_other other=~helped
        NominationPools create|create_with_pool_id amount=bonded root=rights nominator=rights bouncer=rights
        NominationPools nominate validators=~nominee
        NominationPools set_commission new_commission=to
        NominationPools set_commission_claim_permission permission=rights
        NominationPools set_claim_permission !rights
        NominationPools update_roles new_root=rights new_nominator=rights new_bouncer=rights
        NominationPools unbond member_account=loses unbonding_points=limit/=points
        NominationPools withdraw_unbonded member_account=~helped
        NominationPools apply_slash member_account=loses
        NominationPools migrate_delegation member_account=~helped
        NominationPools set_configs min_join_bond=set min_create_bond=set !chain
        NominationPools adjust_pool_deposit !pays
        NominationPools chill|claim_commission|claim_payout|migrate_pool_to_delegate_stake
        NominationPools pool_withdraw_unbonded|set_commission_change_rate|set_commission_max|set_metadata|set_state

        ParachainStaking delegate|delegate_with_auto_compound candidate=~nominee amount=bonded
        ParachainStaking delegator_bond_more candidate=~nominee more=bonded
        ParachainStaking candidate_bond_more more=bonded
        ParachainStaking join_candidates bond=bonded
        ParachainStaking force_join_candidates account=loses bond=bonded
        ParachainStaking schedule_candidate_bond_less less=limit
        ParachainStaking schedule_delegator_bond_less candidate=~nominee less=limit
        ParachainStaking schedule_revoke_delegation collator=~nominee
        ParachainStaking cancel_delegation_request|set_auto_compound candidate=~nominee
        ParachainStaking execute_candidate_bond_less|execute_leave_candidates candidate=~helped
        ParachainStaking execute_delegation_request delegator=~helped candidate=~helped
        ParachainStaking execute_leave_delegators delegator=~helped
        ParachainStaking hotfix_remove_delegation_requests_exited_candidates candidates=~helped
        ParachainStaking notify_inactive_collator collator=loses
        ParachainStaking set_parachain_bond_account new=to
        ParachainStaking cancel_candidate_bond_less|cancel_leave_candidates|cancel_leave_delegators
        ParachainStaking enable_marking_offline|go_offline|go_online|removed_call_19|removed_call_20|removed_call_21
        ParachainStaking schedule_leave_candidates|schedule_leave_delegators|set_blocks_per_round
        ParachainStaking set_collator_commission|set_inflation|set_parachain_bond_reserve_percent|set_total_selected
        ParachainStaking set_staking_expectations !chain
        MoonbeamOrbiters add_collator|remove_collator collator=~chain
        MoonbeamOrbiters collator_add_orbiter orbiter=rights
        MoonbeamOrbiters collator_remove_orbiter orbiter=loses
        MoonbeamOrbiters orbiter_leave_collator_pool collator=~record
        MoonbeamOrbiters orbiter_register !pays
        MoonbeamOrbiters orbiter_unregister
        AuthorMapping add_association !pays !keys
        AuthorMapping clear_association|update_association|remove_keys !keys
        AuthorMapping set_keys !pays !keys
        CollatorSelection add_invulnerable|remove_invulnerable who=~chain
        CollatorSelection set_invulnerables new=~chain
        CollatorSelection set_candidacy_bond bond=set !chain
        CollatorSelection register_candidate new_candidate=~chain
        CollatorSelection take_candidate_slot deposit=deposit target=loses
        CollatorSelection update_bond new_deposit=deposit
        CollatorSelection register_as_candidate !pays
        CollatorSelection leave_intent|set_desired_candidates|withdraw_bond
        ValidatorManager register_validators|deregister_validators validators=~chain !chain
        TreasuryReward set_current_payout payout=set !chain
        Session set_keys !keys
        Session purge_keys
        SessionManager schedule_session_duration

        Homa mint amount=sent/?
        Homa request_redeem amount=sent/?
        Homa claim_redemption redeemer=~helped
        Homa fast_match_redeems|fast_match_redeems_completely redeemer_list=~helped
        Homa reset_ledgers updates=set/? !chain
        Homa force_bump_current_era|reset_current_era|update_bump_era_params|update_homa_params
        HomaLite mint amount=sent/?
        HomaLite mint_for_requests amount=sent/? requests=~helped
        HomaLite request_redeem liquid_amount=sent/?
        HomaLite schedule_unbond staking_amount=set/? !chain
        HomaLite set_minting_cap new_cap=set/? !chain
        HomaLite set_total_staking_currency staking_total=set/? !chain
        HomaLite adjust_available_staking_balance|adjust_total_staking_currency|replace_schedule_unbond
        HomaLite set_staking_interest_rate_per_update|set_xcm_dest_weight
        Honzon authorize to=rights
        Honzon unauthorize to=~revoked
        Honzon unauthorize_all
        Honzon transfer_loan_from from=from
        # Its amounts have signs: collateral goes in, or debt is paid back.
        Honzon adjust_loan|adjust_loan_by_debit_value currency_id=asset !pays
        Honzon close_loan_has_debit_by_dex currency_id=asset max_collateral_amount=most
        Honzon expand_position_collateral currency_id=asset increase_debit_value=limit/? min_increase_collateral=least
        Honzon shrink_position_debit currency_id=asset decrease_collateral=most min_decrease_debit_value=limit/?
        Honzon transfer_debit debit_transfer=limit/?
        CdpEngine liquidate|settle who=loses
        CdpEngine set_collateral_params|set_global_params|register_liquidation_contract|deregister_liquidation_contract \
        address=~chain
        CdpTreasury auction_collateral amount=set/currency_id target=set/? !chain
        CdpTreasury exchange_collateral_to_stable swap_limit=set/? !chain
        CdpTreasury extract_surplus_to_treasury|set_debit_offset_buffer amount=set/? !chain
        CdpTreasury set_expected_collateral_auction_size size=set/? !chain
        Earning bond|rebond amount=bonded
        Earning unbond amount=limit
        # For a fee out of it.
        Earning unbond_instant amount=limit !pays
        Earning withdraw_unbonded
        EmergencyShutdown emergency_shutdown|open_collateral_refund
        EmergencyShutdown refund_collaterals amount=burnt/? !destroys
        """
}
