@rem The scripts of package.json begin with "exec", which cmd.exe does not know.
@%*
