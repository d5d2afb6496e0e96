#!/usr/bin/env node
"use strict";
// Plain CommonJS for any Node: the program itself needs type stripping, so an older Node hands over
// to the one that npm installed beside the program.
const { existsSync, readFileSync } = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const needed = [22, 18];

function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

/** The installed Node program, searched upward from this file. */
function findNode() {
  const platformPackage = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const program = process.platform === "win32" ? "node.exe" : "node";
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, "node_modules", platformPackage, "package.json");
    const binary = path.join(folder, "node_modules", platformPackage, "bin", program);
    if (existsSync(binary) && existsSync(manifest) && isNewEnough(JSON.parse(readFileSync(manifest, "utf8")).version))
      return binary;
    const linked = path.join(folder, "node_modules", ".bin", program);
    if (existsSync(linked) && isNewEnough(versionOf(linked))) return linked;
    if (path.dirname(folder) === folder) return null;
  }
}

function versionOf(node) {
  const { spawnSync } = require("node:child_process");
  return spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).stdout || "0.0";
}

/** Tells the program that it was handed over: it ends with the process that a supervisor knows. */
const handedOver = "HANDED_OVER_BY_ROLLCALL";

function handOver(node) {
  const { spawn } = require("node:child_process");
  const env = { ...process.env, [handedOver]: "1" };
  const child = spawn(node, [__filename, ...process.argv.slice(2)], { stdio: ["inherit", "inherit", "inherit", "ipc"], env });
  for (const signal of ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"]) process.on(signal, () => child.kill(signal));
  // A terminal sends Ctrl-C to both; a second one would cut the graceful stop short.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  child.on("error", (error) => fail(`cannot run ${node}: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** The channel closes when the started process ends, also by SIGKILL, which it cannot pass on. */
function endWithStarted() {
  delete process.env[handedOver];
  process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
  // Waiting for it must not keep a command that is done.
  process.channel.unref();
}

function fail(reason) {
  process.stderr.write(`rollcall: ${reason}\n`);
  process.exitCode = 1;
}

if (isNewEnough(process.versions.node)) {
  if (process.channel && process.env[handedOver]) endWithStarted();
  const { programOf } = require("./sources.cjs");
  import(pathToFileURL(programOf()).href).catch((error) => {
    process.stderr.write(`${error && error.stack ? error.stack : error}\n`);
    process.exitCode = 1;
  });
} else {
  const wanted = `Node ${needed.join(".")} or later`;
  const node = findNode();
  if (node === null)
    fail(`needs ${wanted}, this is ${process.versions.node}; run npm install in its folder, or install ${wanted}`);
  else handOver(node);
}
