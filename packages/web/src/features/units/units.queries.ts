import { useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  type BaseKind,
  joinUnit,
  leaveUnit,
  listActivity,
  listStatuses,
  listUnits,
  moveMember,
  setStatus,
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

/** A status as somebody chooses it. */
export interface ChosenStatus {
  readonly base: BaseKind;
  readonly id: number | null;
}

/** Changes of crews and statuses: each is announced, and a refusal is a toast. */
export function useCrewChanges(announce: (said: string) => void) {
  const { t } = useText();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const change = async (call: () => Promise<unknown>, said: string) => {
    setBusy(true);
    try {
      await call();
      announce(said);
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
    status: async ({ id, name }: Pick<Unit, "id" | "name">, { base, id: statusId }: ChosenStatus) =>
      await change(
        async () => await api.call(setStatus, { params: { id }, body: { base, statusId } }),
        t("units.said.status", { name, status: t(`units.bases.${base}`) }),
      ),
  };
}

export type CrewChanges = ReturnType<typeof useCrewChanges>;
