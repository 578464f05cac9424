/// The runtime itself, and what only an origin of the chain's own may call.
extension RoleTable {
    static let system = """
        System remark|remark_with_event remark=text _remark=text
        System set_code|set_code_without_checks|apply_authorized_upgrade|kill_storage|set_storage|kill_prefix !root
        System authorize_upgrade|authorize_upgrade_without_checks !root
        System set_heap_pages|set_changes_trie_config|fill_block|do_task|suicide
        ParachainSystem enact_authorized_upgrade|authorize_upgrade !root
        ParachainSystem set_validation_data|sudo_send_upward_message !chain
        StateTrieMigration control_auto_migration|set_signed_max_limits|continue_migrate|force_set_progress
        StateTrieMigration migrate_custom_child|migrate_custom_top
        TransactionPause pause_evm_precompile|unpause_evm_precompile address=~chain
        TransactionPause pause_transaction|unpause_transaction
        Babe|Beefy|Grandpa * ~evidence
        ImOnline|Authorship|Timestamp|ParaInherent|ParasInherent|AuthorInherent|Randomness * ~evidence
        ParasSlashing|ParasDisputes * ~evidence
        AhMigrator|*Configuration|Parameters|Initializer|ParasInitializer|Ump|DmpQueue|XcmpQueue|MessageQueue * !chain
        AcalaOracle|AuthorFilter|BaseFee|CircuitBreaker|DexOracle|MaintenanceMode|Prices|RootTesting * !chain
        Paras * ~chain
        *Hrmp hrmp_init_open_channel|hrmp_accept_open_channel|hrmp_close_channel|hrmp_cancel_open_request
        *Hrmp establish_system_channel|establish_channel_with_system|poke_channel_deposits
        *Hrmp force_clean_hrmp|force_process_hrmp_open|force_process_hrmp_close|force_open_hrmp_channel !chain
        Broker purchase price_limit=most
        Broker renew|enable_auto_renew !pays
        Broker purchase_credit amount=sent beneficiary=to
        Broker transfer new_owner=owner
        Broker pool payee=to
        Broker assign|partition|interlace|claim_revenue|disable_auto_renew
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
        AssetRegistry set_location|set_metadata|register_external location=~chain
        AssetRegistry register_foreign_asset|update_foreign_asset location=~chain metadata.minimal_balance=set/?
        AssetRegistry register_erc20_asset minimal_balance=set/? contract=~chain
        AssetRegistry register_native_asset|register_stable_asset metadata.minimal_balance=set/?
        AssetRegistry update_erc20_asset contract=~chain metadata.minimal_balance=set/?
        AssetRegistry update_native_asset|update_stable_asset metadata.minimal_balance=set/?
        """
}
