/// Calls around calls, calls by hash, and what crosses to other chains.
extension RoleTable {
    static let calls = """
        Utility batch|batch_all|force_batch|as_derivative|with_weight|if_else
        Utility dispatch_as|dispatch_as_fallible as_origin=~acts
        Authority dispatch_as|schedule_dispatch
        Authority authorize_call caller=rights
        Authority trigger_call hash=hash
        Authority remove_authorized_call hash=~record
        Authority cancel_scheduled_dispatch|delay_scheduled_dispatch|fast_track_scheduled_dispatch initial_origin=~chain
        Multisig as_multi other_signatories=~record call=opaque
        Multisig as_multi_threshold_1 other_signatories=~record
        Multisig approve_as_multi other_signatories=~record call_hash=hash
        Multisig cancel_as_multi|poke_deposit other_signatories=~record call_hash=~record
        Scheduler schedule|schedule_after|schedule_named|schedule_named_after call=hash
        Scheduler cancel|cancel_named|set_retry|set_retry_named|cancel_retry|cancel_retry_named
        Sudo sudo|sudo_unchecked_weight
        Sudo sudo_as who=~acts
        Sudo set_key new=rights
        Sudo remove_key
        IdleScheduler schedule_task task=hash
        ChainBridge acknowledge_proposal|eval_vote_state|reject_proposal
        ChainBridge add_relayer v=rights
        ChainBridge remove_relayer v=loses
        ChainBridge remove_resource|set_resource|set_threshold|whitelist_chain
        EdgeBridge transfer to=to amount=sent
        EdgeBridge transfer_native amount=sent recipient=to
        EdgeBridge remark

        *Xcm|XcmPallet transfer_assets|limited_reserve_transfer_assets|limited_teleport_assets|reserve_transfer_assets \
        dest=location:shown beneficiary=location:to assets=assets:sent
        *Xcm|XcmPallet teleport_assets dest=location:shown beneficiary=location:to assets=assets:sent
        *Xcm|XcmPallet transfer_assets_using_type_and_then dest=location:shown assets=assets:sent \
        assets_transfer_type=~record remote_fees_id=location:shown fees_transfer_type=~record \
        custom_xcm_on_dest=program
        *Xcm|XcmPallet claim_assets assets=assets:shown beneficiary=location:to
        *Xcm|XcmPallet execute message=program
        *Xcm|XcmPallet send dest=location:shown message=program
        *Xcm|XcmPallet add_authorized_alias aliaser=location:rights !proxy
        *Xcm|XcmPallet remove_authorized_alias aliaser=~revoked
        *Xcm|XcmPallet remove_all_authorized_aliases|force_default_xcm_version|force_suspension
        *Xcm|XcmPallet force_subscribe_version_notify|force_unsubscribe_version_notify location=~chain
        *Xcm|XcmPallet force_xcm_version location=~chain
        OrmlXcm send_as_sovereign dest=location:shown message=program
        ParasSudoWrapper sudo_queue_downward_xcm xcm=program
        ParasSudoWrapper sudo_schedule_para_initialize|sudo_schedule_para_cleanup|sudo_establish_hrmp_channel
        ParasSudoWrapper sudo_schedule_parathread_upgrade|sudo_schedule_parachain_downgrade
        XTokens transfer currency_id=asset amount=sent dest=location:to
        XTokens transfer_with_fee currency_id=asset amount=sent fee=sent dest=location:to
        XTokens transfer_multiasset asset=assets:sent dest=location:to
        XTokens transfer_multiasset_with_fee asset=assets:sent fee=assets:sent dest=location:to
        XTokens transfer_multiassets assets=assets:sent dest=location:to
        XTokens transfer_multicurrencies currencies.2=sent#/? dest=location:to
        XcmTransactor transact_through_derivative fee=location:shown inner_call=remote
        XcmTransactor transact_through_signed dest=location:shown fee=location:shown call=remote
        XcmTransactor transact_through_sovereign dest=location:shown fee_payer=from fee=location:shown call=remote
        XcmTransactor hrmp_manage fee=location:shown
        XcmTransactor register who=rights
        XcmTransactor deregister
        XcmTransactor remove_fee_per_second|set_fee_per_second asset_location=~chain
        XcmTransactor remove_transact_info|set_transact_info location=~chain
        XcmInterface update_xcm_dest_weight_and_fee updates=~chain
        SnowbridgeSystemFrontend register_token asset_id=location:shown fee_asset=assets:sent
        SnowbridgeSystemFrontend add_tip asset=assets:sent
        SnowbridgeSystemFrontend set_operating_mode
        ToKusamaXcmRouter report_bridge_status
        AhOps unreserve_crowdloan_reserve|unreserve_lease_deposit|withdraw_crowdloan_contribution depositor=~helped
        AhOps transfer_to_post_migration_treasury asset_id=~record
        """
}
