"""Single and double elimination: who loses is out, or has a second chance.

`seeding` says where seeds stand, `spread` who stands where. `plan` says what matches there are and what each
side comes from, `state` how they stand by the results. `format` draws rounds from that, `tree` shows it.
`places` reads the order off it. `display_sections` cuts it into pieces that can be read at once.
"""
