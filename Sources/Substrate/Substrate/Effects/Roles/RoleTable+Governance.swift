/// Votes, councils, treasuries, bounties and the Society.
extension RoleTable {
    static let governance = """
        ConvictionVoting vote vote=vote
        ConvictionVoting delegate to=to balance=bonded
        ConvictionVoting remove_other_vote target=loses
        ConvictionVoting unlock target=~helped
        ConvictionVoting remove_vote|undelegate
        Democracy vote vote=vote
        Democracy delegate to=to balance=bonded
        Democracy remove_other_vote target=loses
        Democracy unlock target=~helped
        Democracy propose value=deposit proposal_hash=hash proposal=hash
        Democracy external_propose|external_propose_default|external_propose_majority proposal_hash=hash proposal=hash
        Democracy note_preimage|note_preimage_operational|note_imminent_preimage encoded_proposal=opaque
        Democracy note_imminent_preimage_operational encoded_proposal=opaque
        Democracy reap_preimage|fast_track|veto_external|blacklist|enact_proposal proposal_hash=~record
        Democracy cancel_proposal|cancel_queued|cancel_referendum|clear_public_proposals|emergency_cancel
        Democracy proxy_vote|proxy_remove_vote|proxy_delegate|proxy_undelegate|activate_proxy|close_proxy|deactivate_proxy
        Democracy second !pays
        Democracy remove_vote|undelegate|open_proxy|set_metadata
        *Referenda submit proposal_origin=~record proposal=hash
        *Referenda place_decision_deposit !pays
        *Referenda cancel|kill|nudge_referendum|one_fewer_deciding|refund_decision_deposit
        *Referenda refund_submission_deposit|set_metadata
        Preimage note_preimage bytes=opaque
        Preimage request_preimage hash=hash
        Preimage unnote_preimage|unrequest_preimage|ensure_updated hash=~record hashes=~record
        Whitelist whitelist_call|dispatch_whitelisted_call call_hash=hash
        Whitelist remove_whitelisted_call call_hash=~record
        Whitelist dispatch_whitelisted_call_with_preimage

        *Collective|*Council|*Committee|Council execute|propose
        *Collective|*Council|*Committee|Council vote|close|disapprove_proposal|kill proposal=hash proposal_hash=hash
        *Collective|*Council|*Committee|Council set_members new_members=~chain prime=~chain !chain
        FellowshipCollective add_member|demote_member|promote_member|remove_member who=~chain
        FellowshipCollective exchange_member who=~chain new_who=~chain
        FellowshipCollective vote|cleanup_poll
        *Membership* add_member|remove_member|set_prime who=~chain
        *Membership* swap_member remove=~chain add=~chain
        *Membership* reset_members members=~chain
        *Membership* change_key new=rights
        *Membership* clear_prime
        Elections|ElectionsPhragmen|PhragmenElection vote votes=~nominee value=bonded
        Elections|ElectionsPhragmen|PhragmenElection remove_member who=~chain
        Elections|ElectionsPhragmen|PhragmenElection report_defunct_voter defunct=loses
        Elections|ElectionsPhragmen|PhragmenElection submit_candidacy !pays
        Elections|ElectionsPhragmen|PhragmenElection clean_defunct_voters|remove_voter|renounce_candidacy

        Treasury propose_spend value=price beneficiary=to !pays
        Treasury spend asset_kind=location:shown beneficiary=location:to amount=sent#/asset_kind
        Treasury spend_local beneficiary=to amount=sent
        Treasury approve_proposal|reject_proposal|check_status|payout|remove_approval|void_spend
        Tips report_awesome who=to !pays
        Tips tip_new who=to tip_value=price
        Tips tip tip_value=price hash=~record
        Tips close_tip|retract_tip|slash_tip hash=~record
        Bounties propose_bounty value=price !pays
        Bounties propose_curator|approve_bounty_with_curator curator=rights fee=price
        Bounties award_bounty beneficiary=to
        # A curator's deposit, which can be slashed.
        Bounties|ChildBounties accept_curator !pays
        Bounties approve_bounty|claim_bounty|close_bounty|extend_bounty_expiry|unassign_curator|poke_deposit
        ChildBounties add_child_bounty value=price
        ChildBounties propose_curator curator=rights fee=price
        ChildBounties award_child_bounty beneficiary=to
        ChildBounties claim_child_bounty|close_child_bounty|unassign_curator
        Society bid value=price !pays
        Society vouch who=~named value=price tip=price
        # Gives back what it was paid before, up to that much.
        Society waive_repay amount=most !empties
        Society vote|cleanup_candidacy candidate=~record
        Society bestow_membership|drop_candidate|kick_candidate candidate=~chain
        Society judge_suspended_candidate|judge_suspended_member who=~chain
        Society found|found_society founder=~chain candidate_deposit=set
        Society set_parameters candidate_deposit=set
        Society claim_membership|cleanup_challenge|defender_vote|dissolve|payout|punish_skeptic|resign_candidacy|unbid
        Society unfound|unvouch|set_max_members
        Gilt|Nis place_bid amount=bonded
        Gilt|Nis retract_bid amount=limit
        Gilt set_target
        Gilt|Nis thaw
        Nis fund_deficit|privatize|thaw_communal !pays
        Nis communify|thaw_private
        Crowdloan contribute value=sent
        Crowdloan contribute_all !all
        Crowdloan create cap=limit verifier=~record !pays
        Crowdloan edit cap=limit verifier=~record
        Crowdloan withdraw who=~helped
        Crowdloan add_memo|dissolve|poke|refund
        LiquidCrowdloan transfer_from_crowdloan_vault amount=sent/?
        LiquidCrowdloan redeem_crowdloan|set_redeem_currency_id|redeem amount=burnt/?
        Auctions bid amount=most
        Auctions new_auction|cancel_auction
        AuctionManager cancel|cancel_auction
        Slots force_lease leaser=loses amount=set
        Slots clear_all_leases|trigger_onboard
        Registrar force_register who=~chain deposit=set
        Registrar register|reserve !pays
        Registrar deregister !destroys
        # A manager that locks a parachain, or swaps it, can do nothing of that any more.
        Registrar swap|add_lock !keys
        Registrar remove_lock|force_remove_lock|schedule_code_upgrade|set_current_head
        AssignedSlots assign_perm_parachain_slot|assign_temp_parachain_slot|set_max_permanent_slots
        AssignedSlots set_max_temporary_slots|unassign_parachain_slot
        OnDemand|OnDemandAssignmentProvider place_order_allow_death|place_order_keep_alive max_amount=most
        OnDemand place_order_with_credits max_amount=most
        Coretime credit_account who=to amount=set
        Coretime assign_core|request_core_count|request_revenue_at
        Referrals register_code !pays
        Referrals link_code|claim_rewards|convert|set_reward_percentage
        """
}
