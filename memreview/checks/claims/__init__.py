"""The claim check: does the new text say more than its evidence?"""
