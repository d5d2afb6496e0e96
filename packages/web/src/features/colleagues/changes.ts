import { changeLabels, type LabelChange, mostPeople } from "@rollcall/server/contract/colleagues";
import { api } from "#core/services.ts";
import { inParts, type Sent } from "./parts.ts";

/** Sends changes of up to as many people as one call takes. */
export async function sendChanges(changes: readonly LabelChange[], reason: string): Promise<Sent> {
  const call = async (part: readonly LabelChange[]) =>
    (await api.call(changeLabels, { body: { reason, changes: [...part] } })).undo;
  return await inParts(changes, mostPeople, call);
}
