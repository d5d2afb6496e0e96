import { type DemoGrant, demoGrant } from "#core/demo.ts";
import type { PanicOutcome } from "./panic.machine.ts";

/** Members read the history, from a rank on they answer, and leaders set it up. */
const grantsOf = (job: string, answering: number, chief: number): DemoGrant[] => [
  demoGrant(job, 0, "panic.view"),
  demoGrant(job, answering, "panic.answer"),
  demoGrant(job, chief, "panic.always"),
  demoGrant(job, chief, "panic.setup"),
  demoGrant(job, chief, "panic.export"),
];

export const panicDemoGrants: readonly DemoGrant[] = [...grantsOf("police", 2, 6), ...grantsOf("ambulance", 2, 4)];

/** Jobs without a dispatch centre, whose panics the police gets. */
export const demoWithoutCentre: readonly string[] = ["taxi", "mechanic"];
export const demoCentre = "police";

/** Who gets the panics of a job too; null for none. */
export const demoCentreOf = (job: string): string | null => (demoWithoutCentre.includes(job) ? demoCentre : null);

interface DemoPanic {
  readonly job: string;
  readonly again: boolean;
  readonly outcome: PanicOutcome;
  readonly note: string | null;
}

/** What is over: nothing rings in a demo city. */
export const demoPanics: readonly DemoPanic[] = [
  { job: "police", again: false, outcome: "test", note: "Radio check at the start of the shift" },
  { job: "taxi", again: true, outcome: "real", note: "Robbery of a driver, two arrests" },
  { job: "ambulance", again: false, outcome: "false", note: "Pressed while getting out of the vehicle" },
];
