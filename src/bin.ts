#!/usr/bin/env node
import { main } from "./cli.ts";
import { processHost } from "./commands/process-host.ts";

process.exitCode = await main(process.argv.slice(2), processHost());
