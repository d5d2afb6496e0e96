import { startObjectStore } from "../../server/src/testkit/object-store.ts";

/**
 * An object store as a process of its own. Arguments: its port and its folder. Ends as in a crash: after
 * SIGHUP during the next upload, after SIGUSR2 when that is stored and not yet answered.
 */
let endsWhen: "taking" | "stored" | null = null;
process.on("SIGHUP", () => (endsWhen = "taking"));
process.on("SIGUSR2", () => (endsWhen = "stored"));

const [port, directory] = process.argv.slice(2);
if (port !== undefined && directory !== undefined) {
  await startObjectStore(Number(port), {
    directory,
    putting: (when, key) => {
      if (when === endsWhen && !key.startsWith("probe/")) process.kill(process.pid, "SIGKILL");
    },
  });
  process.stderr.write("the object store serves\n");
}
