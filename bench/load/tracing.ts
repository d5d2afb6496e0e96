/**
 * The server side of the tracing row: the composed program of the folder in the first argument. With
 * `bypassed` in the second, the hooks of tracing are removed from the source as it is loaded. Answers
 * any message with its processor time in milliseconds.
 */
import { registerHooks } from "node:module";
import type { Instance } from "@rollcall/testkit/program.ts";

const [folder = "", mode] = process.argv.slice(2);

/** By the end of a file's URL: the code with tracing, and its replacement without. */
const seams: Readonly<Record<string, readonly (readonly [there: RegExp, without: string])[]>> = {
  "/infra/http/server.ts": [
    [/const traced = tracing\.traceId\(\);\s*if \(traced !== null\) return traced;/, ""],
    [/traceRequests\(app, options\.tracing\);/, ""],
  ],
  "/infra/db/database.ts": [
    [/return this\.#around\("read", name, work\);/, 'return this.#withRetries("read", name, work);'],
    [/return this\.#around\("write", name, work\);/, 'return this.#withRetries("write", name, work);'],
  ],
  "/infra/outbox/outbox.ts": [[/tracing\?\.traceparent\(\) \?\? null/, "null"]],
};

const cut = new Set<string>();

function without(file: string, text: string): string {
  return seams[file]!.reduce((left, [there, instead]) => {
    if (!there.test(left)) throw new Error(`${file} has no ${String(there)}: the row measures nothing`);
    cut.add(file);
    return left.replace(there, instead);
  }, text);
}

if (mode === "bypassed") {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const file = Object.keys(seams).find((end) => url.endsWith(end));
      if (file === undefined || loaded.source == null) return loaded;
      const { source } = loaded;
      return {
        ...loaded,
        source: without(file, typeof source === "string" ? source : Buffer.from(source as Uint8Array).toString()),
      };
    },
  });
}

const { compose } = await import("../kit/program.ts");
const app = await compose({ folder } as Instance);
if (mode === "bypassed" && cut.size !== Object.keys(seams).length) throw new Error(`only ${[...cut].join(", ")} was cut`);
await app.start();

process.on("message", (message) => {
  if (message === "stop") void app.stop().then(() => process.exit(0));
  else {
    const { user, system } = process.cpuUsage();
    process.send!((user + system) / 1000);
  }
});
process.send!("ready");
