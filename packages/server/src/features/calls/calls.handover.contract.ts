import { Type } from "typebox";
import { access, defineNotification, defineOperation, defineWorkerTask, Instant, Version } from "#core/contract/index.ts";
import { CallDetail, callsErrors, id, JobName, refusals } from "./calls.base.contract.ts";
import { exampleDetail } from "./calls.examples.contract.ts";

const byId = Type.Object({ id });
const asked = { to: { name: "sheriff", label: "Sheriff" }, from: { name: "police", label: "Police" } };
const example: typeof exampleDetail = {
  ...exampleDetail,
  version: 2,
  handOver: { ...asked, at: 1_795_000_300_000, by: "Ida Holm", unanswered: false },
};

/** Who asked learns after this time that nobody answered. Milliseconds. */
export const handOverMs = 60_000;

export const handOverCall = defineOperation({
  id: "calls.handOver",
  method: "POST",
  path: "/api/calls/:id/hand-over",
  summary: "Ask another job to take an open call over from yours",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ version: Version, job: JobName }) },
  output: CallDetail,
  errors: [
    ...refusals,
    callsErrors.timelineFull,
    callsErrors.notCallable,
    callsErrors.handOverThere,
    callsErrors.handOverPending,
    callsErrors.stale,
  ],
  example: { params: { id: 12 }, body: { version: 1, job: "sheriff" }, output: example },
});

export const answerHandOver = defineOperation({
  id: "calls.answerHandOver",
  method: "POST",
  path: "/api/calls/:id/hand-over/answer",
  summary: "Take a call over that another job hands over to yours, or decline it",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ version: Version, accept: Type.Boolean() }) },
  output: CallDetail,
  errors: [...refusals, callsErrors.notHandedOver, callsErrors.notReceiver, callsErrors.stale],
  example: { params: { id: 12 }, body: { version: 2, accept: true }, output: { ...exampleDetail, version: 3 } },
});

export const withdrawHandOver = defineOperation({
  id: "calls.withdrawHandOver",
  method: "POST",
  path: "/api/calls/:id/hand-over/withdraw",
  summary: "Keep a call that no other job has taken over yet",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ version: Version }) },
  output: CallDetail,
  errors: [...refusals, callsErrors.notHandedOver, callsErrors.stale],
  example: { params: { id: 12 }, body: { version: 2 }, output: { ...exampleDetail, version: 3 } },
});

/** Nobody may have answered until this instant. */
export const handOverUnanswered = defineWorkerTask({
  id: "calls.handOverUnanswered",
  payload: Type.Object({ id, at: Instant }),
  lane: "prompt",
});

const notification = (name: string, params: readonly string[]) =>
  defineNotification({ id: `calls.${name}`, tone: "warning", params, channels: ["bell", "toast", "sound"] });

export const handOverAsked = notification("handOverAsked", ["id", "job"]);
export const handOverOpen = notification("handOverOpen", ["id", "job"]);
export const handOverDeclined = notification("handOverDeclined", ["id", "job"]);
