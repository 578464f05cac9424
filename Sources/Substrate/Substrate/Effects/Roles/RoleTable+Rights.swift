/// Proxies, recovery, identity, keys, and who may act for whom.
extension RoleTable {
    static let rights = """
        Proxy add_proxy delegate=rights !proxy
        Proxy create_pure|anonymous !proxy
        Proxy announce real=~record call_hash=hash !proxy
        Proxy remove_proxy delegate=~revoked !orphans
        Proxy remove_proxies !orphans
        Proxy poke_deposit
        Proxy kill_pure|kill_anonymous spawner=~record !destroys !rights
        Proxy proxy real=~acts
        Proxy proxy_announced real=~acts delegate=~record
        Proxy reject_announcement delegate=~revoked call_hash=~record
        Proxy remove_announcement real=~record call_hash=~record

        Recovery as_recovered account=~acts
        Recovery create_recovery friends=rights
        Recovery set_recovered lost=loses rescuer=rights
        Recovery initiate_recovery account=loses !pays
        Recovery vouch_recovery lost=loses rescuer=rights
        Recovery claim_recovery account=loses
        Recovery close_recovery rescuer=~revoked
        Recovery cancel_recovered account=~record
        Recovery remove_recovery

        Identity add_registrar account=rights !keys
        Identity set_account_id new=rights !keys
        Identity set_subs subs=~named !keys
        Identity add_sub|rename_sub sub=~named !keys
        Identity remove_sub sub=~named
        Identity provide_judgement target=~named judgement=limit
        Identity kill_identity target=loses
        Identity request_judgement max_fee=most
        Identity set_fee fee=set
        Identity add_username_authority authority=rights
        Identity remove_username_authority authority=~revoked
        Identity set_username_for who=~named
        Identity accept_username|cancel_request|clear_identity|quit_sub|remove_dangling_username|remove_expired_approval
        Identity set_identity !pays
        Identity set_fields|set_primary_username|unbind_username|remove_username|kill_username
        IdentityMigrator poke_deposit|reap_identity who=~chain

        EvmAccounts claim_account eth_address=rights
        EvmAccounts claim_default_account
        EVM transfer_maintainer new_maintainer=owner contract=~record
        # Of a token that the chain chose for its machine: on Hydration and Bifrost it is not the network's.
        EVM withdraw address=from value=sent/self
        EVM call|strict_call|eth_call|eth_call_v2 source=~record target=to action=to value=sent input=~contract \
        access_list=~record !hidden
        EVM scheduled_call from=from target=to value=sent input=~contract access_list=~record !hidden
        EVM create|create2|create_nft_contract source=~record value=sent access_list=~record !hidden
        EVM create_predeploy_contract target=~record value=sent access_list=~record !hidden
        EVM selfdestruct contract=~record !destroys
        EVM set_code contract=~record
        EVM deploy|publish_contract contract=~record !pays
        EVM deploy_free|publish_free contract=~record
        EVM enable_contract_development !pays
        EVM disable_contract_development
        Ethereum transact transaction=to !hidden
        EthereumXcm transact xcm_transaction=to !hidden
        EthereumXcm transact_through_proxy transact_as=~acts xcm_transaction=to !hidden
        EthereumXcm resume_ethereum_xcm_execution|suspend_ethereum_xcm_execution|force_transact_as
        Contracts call dest=to value=sent storage_deposit_limit=deposit !hidden
        Contracts instantiate endowment=sent value=sent storage_deposit_limit=deposit !hidden
        Contracts instantiate_with_code value=sent storage_deposit_limit=deposit !hidden
        Revive call|eth_call dest=to value=sent storage_deposit_limit=deposit data=~contract !hidden
        Revive instantiate|instantiate_with_code|eth_instantiate_with_code value=sent storage_deposit_limit=deposit \
        code_hash=~record data=~contract !hidden
        Revive eth_transact|eth_substrate_call payload=~contract transaction_encoded=~contract !hidden
        Revive upload_code storage_deposit_limit=deposit
        Revive set_code dest=~chain code_hash=~record
        Revive remove_code code_hash=~record
        Revive map_account !pays
        Revive unmap_account
        Contracts claim_surcharge dest=loses aux_sender=to
        Contracts put_code|update_schedule
        """
}
