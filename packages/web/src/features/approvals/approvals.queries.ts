import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import {
  approvalLists,
  approvalsTopic,
  approvalTopic,
  approveRequest,
  createDelegation,
  endDelegation,
  getApproval,
  listAllDelegations,
  listApprovals,
  listDelegations,
  refuseRequest,
  revokeDelegation,
  withdrawRequest,
} from "@rollcall/server/contract/approvals";
import { pagesOf, queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";

export type Approval = OutputOf<typeof listApprovals>["items"][number];
export type ApprovalDetail = OutputOf<typeof getApproval>;
export type Delegation = OutputOf<typeof listDelegations>["items"][number];
export type AnyDelegation = OutputOf<typeof listAllDelegations>["items"][number];
export type List = (typeof approvalLists)[number];

const PAGE = 30;

export const listOf = (search: { list?: string }): List => approvalLists.find((one) => one === search.list) ?? "waiting";

export function useApprovals(list: List) {
  const query = useInfiniteQuery({ ...pagesOf(listApprovals, { list }, PAGE), staleTime: 0 });
  useFollow(approvalsTopic);
  return { query, items: query.data?.pages.flatMap((page) => page.items) ?? [] };
}

export function useWaitingCount(): number {
  const options = queryOf(listApprovals, { query: { list: "waiting", limit: 1 } });
  const query = useQuery({ ...options, queryKey: [listApprovals.id, "count"] });
  useFollow(approvalsTopic);
  return query.data?.total ?? 0;
}

export function useApproval(id: number) {
  const query = useQuery({ ...queryOf(getApproval, { params: { id } }), staleTime: 0 });
  useFollow(approvalTopic, id);
  return query;
}

export type Act = { readonly what: "approve" | "withdraw" } | { readonly what: "refuse"; readonly reason: string };

/** Approves, refuses or withdraws. After a refusal of the server the present state is read again. */
export function useAct({ id, version }: Pick<Approval, "id" | "version">) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (act: Act) => {
      const params = { id };
      if (act.what === "withdraw") return await api.call(withdrawRequest, { params });
      if (act.what === "refuse") return await api.call(refuseRequest, { params, body: { version, reason: act.reason } });
      return await api.call(approveRequest, { params, body: { version } });
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: [listApprovals.id] });
      void queries.invalidateQueries({ queryKey: [getApproval.id] });
    },
  });
}

export function useDelegations() {
  const queries = useQueryClient();
  const onSettled = () => {
    void queries.invalidateQueries({ queryKey: [listDelegations.id] });
    void queries.invalidateQueries({ queryKey: [listAllDelegations.id] });
    void queries.invalidateQueries({ queryKey: [listApprovals.id] });
  };
  const query = useQuery({ ...queryOf(listDelegations, {}), staleTime: 0 });
  useFollow(approvalsTopic);
  const create = useMutation({
    mutationFn: async (body: { citizenId: number; kinds: string[]; from: number; until: number }) =>
      await api.call(createDelegation, { body }),
    onSettled,
  });
  const end = useMutation({
    mutationFn: async (id: number) => await api.call(revokeDelegation, { params: { id } }),
    onSettled,
  });
  return { query, create, end };
}

/** Those of everybody, for config admins. */
export function useAllDelegations() {
  const queries = useQueryClient();
  const query = useQuery({ ...queryOf(listAllDelegations, {}), staleTime: 0 });
  const end = useMutation({
    mutationFn: async (id: number) => await api.call(endDelegation, { params: { id } }),
    onSettled: () => {
      for (const { id } of [listAllDelegations, listDelegations, listApprovals])
        void queries.invalidateQueries({ queryKey: [id] });
    },
  });
  return { query, end };
}
