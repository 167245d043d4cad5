"""Plans, progress and outcomes for people at a terminal, in the form they know from Terraform.

`differences.py` draws what becomes of one value, `plan_view.py` a whole plan, `progress.py` what happens meanwhile.
All of it works on the published JSON forms, so that the plan of any engine can be drawn, also one read from a file.
"""
