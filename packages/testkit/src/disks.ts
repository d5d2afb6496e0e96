import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import path from "node:path";

const required = process.env["ROLLCALL_TEST_REQUIRE"] === "all";

function there(what: string, found: boolean): boolean {
  if (!found && required) throw new Error(`${what}, and ROLLCALL_TEST_REQUIRE=all requires it`);
  if (!found) process.stderr.write(`${what}: its tests are skipped\n`);
  return found;
}

const succeeds = (command: string, ...args: readonly string[]) => spawnSync(command, [...args]).status === 0;

/** Whether the tests can mount disks: requires root. */
export const canMount = (): boolean =>
  there("no disk of its own can be mounted", process.getuid?.() === 0 && succeeds("mount", "--version"));

/** Whether system calls can be slowed down: requires strace and the permission to trace. */
export const canSlow = (): boolean =>
  there("strace cannot slow system calls", succeeds("strace", "-qq", "-o", "/dev/null", "true"));

const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

/** Whether the clock of a program can be moved: requires libfaketime. */
export const canMoveClock = (): boolean => there("libfaketime is not installed", succeeds("test", "-e", library));

/** Mounts a memory disk of that many MiB at a folder. */
export function mountDisk(folder: string, mib: number): { fill(): void; free(): void; unmount(): void } {
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${mib}m`, "tmpfs", folder], { encoding: "utf8" });
  if (mounted.status !== 0) throw new Error(mounted.stderr);
  const filler = path.join(folder, "filler");
  return {
    /** Fills the disk completely, also what became free since the last call. */
    fill() {
      const file = openSync(filler, "a");
      const block = Buffer.alloc(4096);
      try {
        while (statfsSync(folder).bfree > 0) writeSync(file, block);
      } catch (error) {
        if ((error as { code?: string }).code !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    unmount: () => void spawnSync("umount", ["-l", folder]),
  };
}

/** A command prefix that delays every disk flush of a program; the program stays the direct child. */
export function slowFlushes(ms: number): readonly string[] {
  const inject = `inject=fsync,fdatasync:delay_exit=${ms * 1000}`;
  return ["strace", "-D", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", inject];
}

/** Environment of a program whose wall clock is shifted by the offset in a file, as `+3600` (seconds). */
export function movableClock(file: string): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}
