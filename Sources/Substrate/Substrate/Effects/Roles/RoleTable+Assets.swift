/// Fungible assets, tokens that cannot be split, and exchanges between them.
extension RoleTable {
    static let assets = """
        *Assets transfer|transfer_keep_alive id=asset target=to amount=sent
        *Assets transfer_all id=asset dest=to !all
        *Assets transfer_approved id=asset owner=from destination=to amount=sent
        *Assets force_transfer id=asset source=from dest=to amount=sent
        *Assets approve_transfer id=asset delegate=rights amount=approved
        *Assets cancel_approval id=asset delegate=~revoked
        *Assets force_cancel_approval id=asset owner=loses delegate=~revoked
        *Assets mint id=asset beneficiary=to amount=minted
        *Assets burn id=asset who=from amount=burnt !destroys
        *Assets create id=asset admin=rights min_balance=limit max_zombies=~record !pays
        *Assets force_create id=asset owner=owner min_balance=limit
        *Assets force_destroy|destroy id=asset !destroys
        *Assets set_team id=asset issuer=rights admin=rights freezer=rights
        *Assets transfer_ownership id=asset owner=owner new_owner=owner
        *Assets force_asset_status id=asset owner=owner issuer=rights admin=rights freezer=rights min_balance=limit
        *Assets freeze|block id=asset who=loses
        *Assets thaw id=asset who=~helped
        *Assets freeze_asset|thaw_asset id=asset
        *Assets touch id=asset !pays
        *Assets refund id=asset allow_burn=!destroys
        *Assets touch_other id=asset who=~helped !pays
        *Assets refund_other id=asset who=loses
        *Assets set_min_balance id=asset min_balance=limit
        *Assets set_metadata id=asset !pays
        *Assets force_set_metadata|clear_metadata|force_clear_metadata|set_max_zombies id=asset
        *Assets start_destroy id=asset !destroys
        *Assets destroy_accounts|destroy_approvals|finish_destroy id=asset

        Tokens transfer|transfer_keep_alive currency_id=asset dest=to amount=sent
        Tokens transfer_all currency_id=asset dest=to !all
        Tokens force_transfer currency_id=asset source=from dest=to amount=sent
        Tokens set_balance currency_id=asset who=loses new_free=set new_reserved=set
        Currencies transfer currency_id=asset dest=to amount=sent
        Currencies transfer_native_currency dest=to amount=sent
        Currencies update_balance currency_id=asset who=loses amount=set
        Currencies sweep_dust currency_id=asset accounts=loses
        Currencies force_set_lock currency_id=asset who=loses amount=set
        Currencies force_remove_lock currency_id=asset who=~chain

        Uniques|Nfts transfer dest=to
        Uniques mint owner=to !pays
        Nfts mint|force_mint mint_to=to witness_data.mint_price=most# mint_price=most# !pays
        Nfts mint_pre_signed mint_data.only_account=~record mint_data.mint_price=most# signer=~record
        Uniques burn check_owner=from !destroys
        Nfts burn !destroys
        Uniques|Nfts destroy !destroys
        Uniques|Nfts create admin=rights config.mint_settings.price=price# !pays
        Uniques|Nfts force_create owner=owner config.mint_settings.price=price#
        Uniques|Nfts approve_transfer delegate=rights
        Nfts approve_item_attributes delegate=rights
        Nfts cancel_approval delegate=~revoked
        Uniques cancel_approval maybe_check_delegate=~revoked
        Nfts cancel_item_attributes_approval delegate=~revoked
        Uniques|Nfts transfer_ownership owner=owner new_owner=owner
        Nfts force_collection_owner owner=owner
        Uniques|Nfts set_team issuer=rights admin=rights freezer=rights
        Uniques force_item_status owner=owner issuer=rights admin=rights freezer=rights
        Nfts set_attribute namespace=~record !pays
        Nfts clear_attribute namespace=~record
        Nfts force_set_attribute namespace=~record set_as=~record
        Nfts set_attributes_pre_signed data.namespace=~record signer=~record !pays
        Uniques set_attribute !pays
        Uniques clear_attribute
        Uniques|Nfts buy_item bid_price=most#
        Uniques|Nfts set_price price=price# whitelisted_buyer=to !sells
        Nfts pay_tips tips.receiver=to tips.amount=sent#
        Nfts create_swap maybe_price.amount=most# !swaps
        Nfts claim_swap witness_price.amount=most#
        Nfts cancel_swap|clear_all_transfer_approvals|force_collection_config|lock_item_transfer|unlock_item_transfer
        # What is locked by these stays locked, and who may mint may be anybody.
        Nfts lock_collection|lock_item_properties !keys
        Nfts update_mint_settings mint_settings.price=price# !keys
        Uniques|Nfts clear_collection_metadata|clear_metadata|set_accept_ownership|set_collection_max_supply
        Uniques|Nfts set_collection_metadata|set_metadata|redeposit !pays
        Uniques freeze|freeze_collection|thaw|thaw_collection
        NFT transfer to=to
        NFT mint to=to !pays
        NFT burn|burn_with_remark !destroys
        NFT create_class !pays
        NFT update_class_properties
        NFT destroy_class dest=to !destroys

        AssetConversion create_pool|touch asset1=location:shown asset2=location:shown !pays
        AssetConversion add_liquidity asset1=location:shown asset2=location:shown mint_to=to \
        amount1_desired=most/asset1 amount1_min=limit/asset1 amount2_desired=most/asset2 amount2_min=limit/asset2
        AssetConversion remove_liquidity asset1=location:shown asset2=location:shown withdraw_to=to \
        lp_token_burn=burnt/=shares:asset1,asset2 amount1_min_receive=least/asset1 amount2_min_receive=least/asset2
        AssetConversion swap_exact_tokens_for_tokens path=path send_to=to \
        amount_in=sent/path.first amount_out_min=least/path.last
        AssetConversion swap_tokens_for_exact_tokens path=path send_to=to \
        amount_out=least/path.last amount_in_max=most/path.first
        AssetRate create|update|remove asset_kind=~chain

        Dex|AggregatedDex swap_with_exact_supply supply_amount=sent/? min_target_amount=least/?
        Dex|AggregatedDex swap_with_exact_target target_amount=least/? max_supply_amount=most/?
        AggregatedDex update_aggregated_swap_paths|update_rebalance_swap_paths|set_rebalance_swap_info|force_rebalance_swap
        AggregatedDex rebalance_swap
        Dex add_liquidity max_amount_a=most/currency_id_a max_amount_b=most/currency_id_b min_share_increment=least/?
        Dex remove_liquidity remove_share=burnt/=shares:currency_id_a,currency_id_b \
        min_withdrawn_a=least/currency_id_a min_withdrawn_b=least/currency_id_b
        Dex add_provision amount_a=sent/currency_id_a amount_b=sent/currency_id_b
        Dex claim_dex_share|refund_provision owner=~helped
        Dex list_provisioning|update_provisioning_parameters min_contribution_a=limit/? min_contribution_b=limit/? \
        target_provision_a=limit/? target_provision_b=limit/?
        Dex abort_provisioning|disable_trading_pair|enable_trading_pair|end_provisioning

        XYK create_pool amount_a=sent/asset_a amount_b=sent/asset_b amount1=sent/? amount2=sent/?
        XYK add_liquidity amount_a=sent/asset_a amount_b_max_limit=most/asset_b
        XYK remove_liquidity liquidity_amount=burnt/=shares:asset_a,asset_b
        XYK add_liquidity_with_limits amount_a=sent/asset_a amount_b_max_limit=most/asset_b min_shares=least/=shares:asset_a,asset_b
        XYK remove_liquidity_with_limits share_amount=burnt/=shares:asset_a,asset_b min_amount_a=least/asset_a min_amount_b=least/asset_b
        XYK|LBP sell amount=sent/asset_in max_limit=limit/?
        XYK|LBP buy amount=least/asset_out max_limit=most/?
        LBP create_pool pool_owner=owner fee_collector=to asset_a_amount=sent/asset_a asset_b_amount=sent/asset_b \
        repay_target=limit/?
        LBP update_pool_data pool_id=~record pool_owner=owner fee_collector=to repay_target=limit/?
        LBP add_liquidity amount_a=sent/? amount_b=sent/?
        LBP remove_liquidity pool_id=~record
        Omnipool add_liquidity amount=sent/asset
        Omnipool remove_liquidity amount=burnt/=shares:position_id
        Omnipool add_liquidity_with_limit amount=sent/asset min_shares_limit=least/=shares:asset
        Omnipool add_all_liquidity min_shares_limit=least/=shares:asset !all
        Omnipool remove_liquidity_with_limit amount=burnt/=shares:position_id min_limit=least/?
        Omnipool remove_all_liquidity min_limit=least/? !all
        Omnipool sell amount=sent/asset_in min_buy_amount=least/asset_out
        Omnipool buy amount=least/asset_out max_sell_amount=most/asset_in
        Omnipool add_token position_owner=to
        Omnipool refund_refused_asset amount=sent/asset_id recipient=to
        Omnipool remove_token beneficiary=to
        Omnipool withdraw_protocol_liquidity amount=sent/? dest=to price=limit/?
        Omnipool sacrifice_position !destroys
        Omnipool set_asset_tradable_state|set_asset_weight_cap
        OmnipoolLiquidityMining create_global_farm owner=to total_rewards=sent/reward_currency min_deposit=limit/?
        OmnipoolLiquidityMining deposit_shares !pays
        OmnipoolLiquidityMining claim_rewards|create_yield_farm|redeposit_shares|resume_yield_farm
        OmnipoolLiquidityMining stop_yield_farm|terminate_global_farm|terminate_yield_farm|update_yield_farm
        OmnipoolLiquidityMining withdraw_shares
        Stableswap add_liquidity assets=sent/?
        Stableswap add_liquidity_shares shares=least/=shares:pool_id max_asset_amount=most/asset_id
        Stableswap remove_liquidity_one_asset share_amount=burnt/=shares:pool_id min_amount_out=least/asset_id
        Stableswap withdraw_asset_amount amount=least/asset_id max_share_amount=most/=shares:pool_id
        Stableswap add_assets_liquidity assets=sent/? min_shares=least/=shares:pool_id
        Stableswap remove_liquidity share_amount=burnt/=shares:pool_id min_amounts_out=least/?
        Stableswap sell amount_in=sent/asset_in min_buy_amount=least/asset_out
        Stableswap buy amount_out=least/asset_out max_sell_amount=most/asset_in
        Stableswap create_pool|set_asset_tradable_state|update_amplification|update_pool_fee
        Router sell amount_in=sent/asset_in min_amount_out=least/asset_out
        Router buy amount_out=least/asset_out max_amount_in=most/asset_in
        Router sell_all min_amount_out=least/asset_out !all
        Router set_route
        HSM sell amount_in=sent/asset_in slippage_limit=least/asset_out
        HSM buy amount_out=least/asset_out slippage_limit=most/asset_in
        Liquidation liquidate user=loses debt_to_cover=limit/debt_asset
        OTC place_order amount_in=least/asset_in amount_out=most/asset_out
        OTC partial_fill_order amount_in=sent/?
        OTC cancel_order
        OTC fill_order !pays
        DCA schedule schedule.owner=~record schedule.total_amount=most/? schedule.order.amount_in=limit/? \
        schedule.order.min_amount_out=least/? schedule.order.amount_out=least/? schedule.order.max_amount_in=limit/?
        DCA terminate
        # `StablePool` is Bifrost's, in front of the same pools.
        StableAsset|StablePool mint|add_liquidity amounts=sent#/? min_mint_amount=least/?
        StableAsset|StablePool swap dx=sent/? min_dy=least/?
        StableAsset|StablePool redeem_multi max_redeem_amount=most/? amounts=least/?
        StableAsset|StablePool redeem_proportion amount=sent/? min_redeem_amounts=least/?
        StableAsset|StablePool redeem_single amount=sent/? min_redeem_amount=least/?
        StableAsset create_pool|modify_recipients fee_recipient=to yield_recipient=to
        StableAsset modify_a|modify_fees
        ZenlinkProtocol transfer asset_id=asset recipient=to amount=sent
        ZenlinkProtocol swap_exact_assets_for_assets recipient=to amount_in=sent/? amount_out_min=least/?
        ZenlinkProtocol swap_assets_for_exact_assets recipient=to amount_out=least/? amount_in_max=most/?
        ZenlinkProtocol add_liquidity amount_0_desired=most/asset_0 amount_1_desired=most/asset_1 \
        amount_0_min=limit/asset_0 amount_1_min=limit/asset_1
        ZenlinkProtocol remove_liquidity recipient=to liquidity=burnt/=shares:asset_0,asset_1 \
        amount_0_min=least/asset_0 amount_1_min=least/asset_1
        Bonds issue amount=sent/asset_id
        Bonds redeem amount=burnt/bond_id
        Auction bid value=most/?
        Incentives deposit_dex_share lp_currency_id=asset amount=bonded
        Incentives withdraw_dex_share lp_currency_id=asset amount=limit
        Incentives claim_rewards|update_claim_reward_deduction_currency|update_claim_reward_deduction_rates
        Incentives update_dex_saving_rewards|update_incentive_rewards
        """
}
