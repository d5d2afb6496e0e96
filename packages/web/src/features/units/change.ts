import { type BaseKind, leaveUnit, listUnits, setStatus } from "@rollcall/server/contract/units";
import { api } from "#core/services.ts";
import { ownUnit } from "./own.ts";

/** Without a unit the server says so, as for who leaves none. */
export async function setOwnStatus(base: BaseKind): Promise<void> {
  const own = ownUnit((await api.call(listUnits)).items);
  if (own === undefined) await leaveOwn();
  else await api.call(setStatus, { params: { id: own.id }, body: { base } });
}

export async function leaveOwn(): Promise<void> {
  await api.call(leaveUnit);
}
