import { type BaseKind, leaveUnit, listUnits } from "@rollcall/server/contract/units";
import { api } from "#core/services.ts";
import { ownUnit } from "./own.ts";
import { changeStatus } from "./status.ts";

/** Without a unit the server says so, as for who leaves none. */
export async function setOwnStatus(base: BaseKind): Promise<void> {
  const own = ownUnit((await api.call(listUnits)).items);
  if (own === undefined) await leaveOwn();
  else await changeStatus(api, own, { base, id: null });
}

export async function leaveOwn(): Promise<void> {
  await api.call(leaveUnit);
}
