#!/usr/bin/env node
console.log("tracefold");
