import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  changeLeaders,
  changeMembers,
  explainMember,
  getGroup,
  jobgroupsTopic,
  listExclusions,
  listGroups,
  listMembers,
  listOfPerson,
  listRuleKinds,
  type People,
} from "@rollcall/server/contract/jobgroups";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { pagesOf, queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { offerUndo } from "#ui/confirm.tsx";

const MEMBERS = 50;

/** Groups of the own job that the viewer sees, also deleted ones for those who may restore them. */
export function useGroups() {
  useFollow(jobgroupsTopic);
  return useQuery(queryOf(listGroups, {}));
}

export function useGroup(id: number) {
  useFollow(jobgroupsTopic);
  return useQuery(queryOf(getGroup, { params: { id } }));
}

/** By name, page by page. */
export function useMembers(id: number) {
  useFollow(jobgroupsTopic);
  const query = useInfiniteQuery(pagesOf(listMembers, {}, MEMBERS, { id }));
  return { query, items: query.data?.pages.flatMap((page) => page.items) ?? [] };
}

export function useExclusions(id: number) {
  useFollow(jobgroupsTopic);
  return useQuery(queryOf(listExclusions, { params: { id } }));
}

export function useExplained(id: number, citizenId: number) {
  useFollow(jobgroupsTopic);
  return useQuery(queryOf(explainMember, { params: { id, citizenId } }));
}

export function useGroupsOf(citizenId: number) {
  useFollow(jobgroupsTopic);
  return useQuery(queryOf(listOfPerson, { query: { citizenId } }));
}

/** What rules can be about, for those who set them. */
export function useRuleKinds() {
  useFollow(jobgroupsTopic);
  return useQuery(queryOf(listRuleKinds, {}));
}

const shown = [listGroups.id, getGroup.id, listMembers.id, listExclusions.id, explainMember.id, listOfPerson.id];

/** Reads everything about groups again. */
export function useReadAgain() {
  const queries = useQueryClient();
  return async () => {
    await Promise.all(shown.map(async (id) => await queries.invalidateQueries({ queryKey: [id] })));
  };
}

/** Changes who is in a group by hand, or who leads it; each has its way back. */
export function usePeopleChanges(id: number) {
  const { t } = useText();
  const read = useReadAgain();
  const send = async (kind: "members" | "leaders", body: People) => {
    const { undo } = await api.call(kind === "members" ? changeMembers : changeLeaders, { params: { id }, body });
    await read();
    return undo;
  };
  return async (kind: "members" | "leaders", people: Partial<People>, said: string) => {
    try {
      const undo = await send(kind, { add: [], remove: [], ...people });
      if (undo.add.length + undo.remove.length === 0) return;
      offerUndo(t, { title: said, undo: async () => await send(kind, undo) });
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
    }
  };
}
