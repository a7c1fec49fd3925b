-- A role that can read who gets which mail, and nothing else. Run it in Nameplate's database.
CREATE ROLE nameplate_postfix LOGIN PASSWORD 'change-me';
GRANT USAGE ON SCHEMA public TO nameplate_postfix;
GRANT SELECT ON postfix_aliases TO nameplate_postfix;
