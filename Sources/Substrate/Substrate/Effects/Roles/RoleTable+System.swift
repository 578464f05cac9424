/// The runtime itself, and what only an origin of the chain's own may call.
extension RoleTable {
    static let system = """
        System remark|remark_with_event remark=text _remark=text
        System set_code|set_code_without_checks|apply_authorized_upgrade|kill_storage|set_storage|kill_prefix !root
        System authorize_upgrade|authorize_upgrade_without_checks !root
        System set_heap_pages|set_changes_trie_config|fill_block|do_task|suicide
        ParachainSystem enact_authorized_upgrade|authorize_upgrade !root
        ParachainSystem set_validation_data|sudo_send_upward_message !chain
        StateTrieMigration control_auto_migration|set_signed_max_limits|force_set_progress
        # With a deposit that is lost where the work was stated wrongly.
        StateTrieMigration continue_migrate|migrate_custom_child|migrate_custom_top !pays
        TransactionPause pause_evm_precompile|unpause_evm_precompile address=~chain
        TransactionPause pause_transaction|unpause_transaction
        Babe|Beefy|Grandpa * ~evidence
        ImOnline|Authorship|Timestamp|ParaInherent|ParasInherent|AuthorInherent|Randomness * ~evidence
        ParasSlashing|ParasDisputes * ~evidence
        # All of it is for the chain's own origins, in every version since it began.
        Configuration|ParachainsConfiguration * !chain
        Parameters set_parameter !chain
        Initializer|ParasInitializer force_approve !chain
        Ump|DmpQueue|XcmpQueue service_overweight|suspend_xcm_execution|resume_xcm_execution|update_drop_threshold !chain
        XcmpQueue update_resume_threshold|update_suspend_threshold|update_threshold_weight !chain
        XcmpQueue update_weight_restrict_decay|update_xcmp_max_individual_weight !chain
        MessageQueue execute_overweight|reap_page ~evidence
        AcalaOracle feed_values ~evidence
        AuthorFilter set_eligible !chain
        BaseFee set_base_fee_per_gas|set_elasticity|set_is_active !chain
        CircuitBreaker set_add_liquidity_limit|set_remove_liquidity_limit|set_trade_volume_limit !chain
        DexOracle disable_average_price|enable_average_price|update_average_price_interval !chain
        MaintenanceMode enter_maintenance_mode|resume_normal_operation !chain
        Prices lock_price|unlock_price !chain
        RootTesting fill_block|trigger_defensive !chain
        AhMigrator start_migration|finish_migration|force_set_stage|set_manager|set_dmp_queue_priority !chain
        AhMigrator send_xcm_message|receive_accounts|receive_asset_rates|receive_bags_list_messages|receive_claims !chain
        AhMigrator receive_bounties_messages|receive_child_bounties_messages|receive_conviction_voting_messages !chain
        AhMigrator receive_crowdloan_messages|receive_delegated_staking_messages|receive_indices !chain
        AhMigrator receive_multisigs|receive_nom_pools_messages|receive_preimage_chunks !chain
        AhMigrator receive_preimage_legacy_status|receive_preimage_request_status|receive_proxy_announcements !chain
        AhMigrator receive_proxy_proxies|receive_referenda_metadata|receive_referenda_values|receive_referendums !chain
        AhMigrator receive_scheduler_agenda_messages|receive_scheduler_messages|receive_staking_messages !chain
        AhMigrator receive_treasury_messages|receive_vesting_schedules !chain
        Paras add_trusted_validation_code|force_note_new_head|force_queue_action|force_schedule_code_upgrade !chain
        Paras force_set_current_code|force_set_current_head|force_set_most_recent_context !chain
        Paras poke_unused_validation_code|authorize_force_set_current_code_hash !chain
        Paras include_pvf_check_statement|apply_authorized_force_set_current_code ~evidence
        # Anybody may; it burns a price of the signer's for each block that is left.
        Paras remove_upgrade_cooldown !pays !destroys
        *Hrmp hrmp_init_open_channel|hrmp_accept_open_channel|hrmp_close_channel|hrmp_cancel_open_request
        *Hrmp establish_system_channel|establish_channel_with_system|poke_channel_deposits
        *Hrmp force_clean_hrmp|force_process_hrmp_open|force_process_hrmp_close|force_open_hrmp_channel !chain
        Broker purchase price_limit=most
        Broker renew|enable_auto_renew !pays
        Broker purchase_credit amount=sent beneficiary=to
        Broker transfer new_owner=owner
        Broker pool payee=to
        # A core that is assigned for good goes to whichever task it names.
        Broker assign !keys
        Broker partition|interlace|claim_revenue|disable_auto_renew
        Broker drop_contribution|drop_history|drop_region|drop_renewal
        Broker configure|reserve|force_reserve|unreserve|set_lease|remove_lease|swap_leases|start_sales !chain
        Broker request_core_count|notify_core_count|notify_revenue|remove_assignment|remove_potential_renewal !chain
        AssetManager register_local_asset creator=~chain owner=owner min_balance=set/?
        AssetManager register_foreign_asset asset=~chain min_amount=set/?
        AssetManager change_existing_asset_type|remove_supported_asset|set_asset_units_per_second new_asset_type=~chain \
        asset_type=~chain
        AssetManager destroy_foreign_asset|destroy_local_asset|remove_existing_asset_type
        AssetRegistry register existential_deposit=set/? location=~chain xcm_rate_limit=set/? metadata=~chain
        AssetRegistry update existential_deposit=set/? xcm_rate_limit=set/?
        AssetRegistry set_location|set_metadata location=~chain
        AssetRegistry register_external location=~chain !pays
        AssetRegistry register_foreign_asset|update_foreign_asset location=~chain metadata.minimal_balance=set/?
        AssetRegistry register_erc20_asset minimal_balance=set/? contract=~chain
        AssetRegistry register_native_asset|register_stable_asset metadata.minimal_balance=set/?
        AssetRegistry update_erc20_asset contract=~chain metadata.minimal_balance=set/?
        AssetRegistry update_native_asset|update_stable_asset metadata.minimal_balance=set/?
        """
}
