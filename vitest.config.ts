import { defineConfig } from "vitest/config";

/** `expect.poll` waits this long at most; it matters only for a test that fails, or on a busy machine. */
const poll = { timeout: 15_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          // As for the databases.
          isolate: false,
          maxWorkers: 2,
          expect: { poll },
          include: ["packages/{server,web,sync-sdk,testkit}/src/**/*.test.{ts,tsx}", "tools/**/*.test.ts"],
          exclude: ["**/*.db.test.ts", "**/node_modules/**"],
          // Some start programs, which takes seconds on a busy machine.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "db",
          // The files of one process share its modules and their compiled code: each would load the whole server again.
          isolate: false,
          maxWorkers: 2,
          expect: { poll },
          include: ["packages/server/src/**/*.db.test.ts"],
          // Schedules with several workers take thousands of statements, which are slow on a busy machine.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          globalSetup: ["tools/built.setup.ts"],
          // As for the databases: loading the test kit takes seconds on a busy machine.
          isolate: false,
          expect: { poll },
          include: ["packages/e2e/src/**/*.e2e.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 3,
          maxConcurrency: 3,
        },
      },
      {
        test: {
          name: "faults",
          globalSetup: ["tools/built.setup.ts"],
          include: ["packages/e2e/src/**/*.faults.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          maxConcurrency: 3,
        },
      },
    ],
  },
});
