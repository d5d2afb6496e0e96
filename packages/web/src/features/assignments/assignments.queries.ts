import { useState } from "react";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  answerOffer,
  assignmentsTopic,
  finishWork,
  getOwnWork,
  getWorkRules,
  setProgress,
  takeCall,
  type WorkingState,
  withdrawOffer,
} from "@rollcall/server/contract/assignments";
import { type Call, getCall, listCalls, listPresent, type UnitOnCall } from "@rollcall/server/contract/calls";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";

export type { Call, UnitOnCall };

/** What the own unit works and is asked for. */
export function useOwnWork() {
  useFollow(assignmentsTopic);
  return useQuery(queryOf(getOwnWork, {}));
}

export function useWorkRules(fresh = false) {
  useFollow(assignmentsTopic);
  return useQuery({ ...queryOf(getWorkRules, {}), ...(fresh ? { refetchOnMount: "always" as const } : {}) });
}

/** After the units of a call changed by the own hand. For others the server says so. */
export async function readAgain(queries: QueryClient): Promise<void> {
  const read = [getCall, listCalls, listPresent, getOwnWork];
  await Promise.all(read.map(async ({ id }) => await queries.invalidateQueries({ queryKey: [id] })));
}

/** Changes of units on calls: each is announced, and a refusal is a toast. */
export function useWorkChanges(announce: (said: string) => void) {
  const { t } = useText();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const change = async (call: () => Promise<unknown>, said: string) => {
    setBusy(true);
    try {
      await call();
      announce(said);
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
    }
    await readAgain(queries);
    setBusy(false);
  };
  const ofUnit = ({ id, version }: UnitOnCall) => ({ params: { id }, body: { version } });
  return {
    busy,
    announce,
    take: async ({ id }: Pick<Call, "id">) =>
      await change(async () => await api.call(takeCall, { params: { id } }), t("assignments.said.taken", { id: `DSP-${id}` })),
    answer: async (on: UnitOnCall, accept: boolean) => {
      const { params, body } = ofUnit(on);
      const said = t(accept ? "assignments.said.accepted" : "assignments.said.declined", { unit: on.unit.name });
      await change(async () => await api.call(answerOffer, { params, body: { ...body, accept } }), said);
    },
    withdraw: async (on: UnitOnCall) =>
      await change(
        async () => await api.call(withdrawOffer, ofUnit(on)),
        t("assignments.said.withdrawn", { unit: on.unit.name }),
      ),
    progress: async (on: UnitOnCall, state: WorkingState, needsHelp = on.needsHelp) => {
      const { params, body } = ofUnit(on);
      const isHelp = needsHelp !== on.needsHelp;
      const what = t(isHelp ? `assignments.help.${needsHelp ? "asked" : "over"}` : `assignments.states.${state}`);
      await change(
        async () => await api.call(setProgress, { params, body: { ...body, state, needsHelp } }),
        t("assignments.said.progress", { unit: on.unit.name, state: what }),
      );
    },
    finish: async (on: UnitOnCall) =>
      await change(async () => await api.call(finishWork, ofUnit(on)), t("assignments.said.done", { unit: on.unit.name })),
  };
}

export type WorkChanges = ReturnType<typeof useWorkChanges>;
