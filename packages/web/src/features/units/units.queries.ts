import { useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getOwnWork } from "@rollcall/server/contract/assignments";
import {
  joinUnit,
  leaveUnit,
  listActivity,
  listStatuses,
  listUnits,
  moveMember,
  type Unit,
  unitsTopic,
} from "@rollcall/server/contract/units";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { changeStatus, type ChosenStatus } from "./status.ts";

/** Units of the jobs that the viewer sees, and who of the own job is in none. */
export function useUnits(fresh = false) {
  useFollow(unitsTopic);
  return useQuery({ ...queryOf(listUnits, {}), ...(fresh ? { refetchOnMount: "always" as const } : {}) });
}

/** Custom statuses of the own job, and its rules. */
export function useStatuses(fresh = false) {
  useFollow(unitsTopic);
  return useQuery({ ...queryOf(listStatuses, {}), ...(fresh ? { refetchOnMount: "always" as const } : {}) });
}

/** The newest things that happened to a unit. */
export function useActivity(id: number) {
  useFollow(unitsTopic);
  return useQuery(queryOf(listActivity, { params: { id }, query: { limit: 50 } }));
}

/** Changes of crews and statuses: each is announced, and a refusal is a toast. */
export function useCrewChanges(announce: (said: string) => void) {
  const { t } = useText();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  /** `call` answers what else it has to say. */
  const change = async (call: () => Promise<unknown>, said: string) => {
    setBusy(true);
    try {
      const other = await call();
      announce(typeof other === "string" ? other : said);
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
    }
    await client.invalidateQueries({ queryKey: [listUnits.id] });
    setBusy(false);
  };
  return {
    busy,
    join: async ({ id, name }: Pick<Unit, "id" | "name">, role: string | null = null) =>
      await change(async () => await api.call(joinUnit, { params: { id }, body: { role } }), t("units.said.joined", { name })),
    leave: async () => await change(async () => await api.call(leaveUnit), t("units.said.left")),
    /** Without a unit, the person leaves the present one. */
    move: async (person: { readonly id: number; readonly name: string }, unit: Pick<Unit, "id" | "name"> | null) =>
      await change(
        async () => await api.call(moveMember, { params: { id: person.id }, body: { unitId: unit?.id ?? null } }),
        unit === null
          ? t("units.said.takenOut", { name: person.name })
          : t("units.said.moved", { name: person.name, unit: unit.name }),
      ),
    status: async (unit: Pick<Unit, "id" | "name">, to: ChosenStatus) => {
      const params = { name: unit.name, status: t(`units.bases.${to.base}`) };
      await change(
        async () => {
          const outcome = await changeStatus(api, unit, to);
          if (outcome === "set") return undefined;
          if (outcome === "handedBack") await client.invalidateQueries({ queryKey: [getOwnWork.id] });
          return t(outcome === "kept" ? "units.said.kept" : "units.said.handedBack", params);
        },
        t("units.said.status", params),
      );
    },
  };
}

export type CrewChanges = ReturnType<typeof useCrewChanges>;
