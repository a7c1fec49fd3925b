#!/usr/bin/env node
import '../server/process/env-file.ts';
import '../server/admin/cli.ts';
