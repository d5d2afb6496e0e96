import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { call } from "@rollcall/testkit/api.ts";
import { endWithTests } from "@rollcall/testkit/children.ts";
import type { Instance } from "@rollcall/testkit/program.ts";
import { createScope, type Scope } from "@rollcall/testkit/settings.ts";
import { until } from "@rollcall/testkit/until.ts";

let scope: Scope = createScope();
afterEach(async () => {
  await scope.end();
  scope = createScope();
});

const packages = path.resolve(import.meta.dirname, "../../..");
const oldNode = path.join(packages, "testkit/src/old-node.fixture.cjs");
const rollcall = path.join(packages, "server/bin/rollcall.cjs");

/** Starts the program by a Node that hands over to a newer one. */
function startOld(instance: Pick<Instance, "folder">, ...args: readonly string[]): ChildProcess {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, ["-r", oldNode, rollcall, ...args], {
    cwd: instance.folder,
    env: { PATH, HOME },
    stdio: "ignore",
  });
  return endWithTests(child);
}

const isReady = async ({ adminUrl }: Instance) =>
  await fetch(`${adminUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

it("a program that was handed to a newer Node ends with the process that was started, also by kill -9, and leaves nothing behind", async () => {
  const instance = await scope.instance();
  const first = startOld(instance, "serve");
  await until("it serves", async () => await isReady(instance), 30_000);
  first.kill("SIGKILL");
  await until(
    "its ports are free",
    async () =>
      await call(instance.adminUrl, "/livez").then(
        () => false,
        () => true,
      ),
  );
  const second = startOld(instance, "serve");
  await until("it serves again", async () => await isReady(instance), 30_000);
  const ended = once(second, "exit");
  second.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

it("a command that was handed over ends by itself, with its exit code", async () => {
  const instance = await scope.instance();
  expect(await once(startOld(instance, "config", "check"), "exit")).toEqual([0, null]);
  expect(await once(startOld(instance, "config", "chekc"), "exit")).toEqual([2, null]);
});
