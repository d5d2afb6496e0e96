import { systemClock } from "../../clock.ts";
import { bytes, silent } from "../broker.testkit.ts";
import { EmbeddedBroker } from "./broker.ts";

/** Appends until it is killed, and prints each acknowledged sequence. */
const file = process.argv[2] ?? "";
const broker = await new EmbeddedBroker({
  url: { kind: "embedded", file },
  replicas: 1,
  log: silent,
  clock: systemClock,
}).start();
await broker.ensureStream({
  name: "EVENTS",
  subjects: ["events.>"],
  maxAgeMs: 3_600_000,
  duplicateWindowMs: 60_000,
});
const bucket = await broker.bucket("kept");
process.stdout.write("serving\n");
for (let i = 1; ; i++) {
  const [{ seq }] = await Promise.all([
    broker.append("events.x", bytes(String(i)), { id: `m${i}` }),
    bucket.put("last", bytes(String(i))),
  ]);
  process.stdout.write(`${seq}\n`);
}
