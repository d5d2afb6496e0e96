import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { MessageOf, OutputOf, Position } from "@rollcall/server/contract/core";
import {
  countUnread,
  getPreferences,
  listNotifications,
  markAllRead,
  markRead,
  markUnread,
  mostAtOnce,
  notificationsTopic,
  putPreferences,
  removeNotifications,
  tryNotification,
} from "@rollcall/server/contract/notifications";
import { pagesOf, queryOf } from "#core/queries.ts";
import { readBehind } from "#core/realtime/positions.ts";
import { api } from "#core/services.ts";

export type Notification = OutputOf<typeof listNotifications>["items"][number];
export type NewNotification = MessageOf<typeof notificationsTopic>["items"][number];
export type Preference = OutputOf<typeof getPreferences>["kinds"][number];
export type Channel = OutputOf<typeof getPreferences>["channels"][number];
export interface ListFilter {
  readonly only?: "unread";
  readonly kind?: string;
}

const PAGE = 30;

export function useUnread(): number {
  return useQuery({ ...queryOf(countUnread, {}), staleTime: 60_000 }).data?.unread ?? 0;
}

export function useNotifications(filter: ListFilter) {
  const query = useInfiniteQuery({ ...pagesOf(listNotifications, { ...filter }, PAGE), staleTime: 0 });
  return { query, items: query.data?.pages.flatMap((page) => page.items) ?? [], last: query.data?.pages.at(-1) };
}

/** Reads count and lists again: something arrived or was read. */
export function useRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: [countUnread.id] });
    void client.invalidateQueries({ queryKey: [listNotifications.id] });
  };
}

/** Notifications before this position were missed: reads again what does not hold them. */
export function useMissed(): (position: Position | null) => void {
  const client = useQueryClient();
  return (position) => {
    readBehind(client, [countUnread.id], position);
    readBehind(client, [listNotifications.id], position);
  };
}

export function useMarkRead() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (which: { ids: number[] } | { upTo: number }) =>
      "ids" in which ? await api.call(markRead, { body: which }) : await api.call(markAllRead, { body: which }),
    onSettled: refresh,
  });
}

/** What can be done with several: one call for as many as the server takes. */
export const bulkCalls = {
  read: async (ids: number[]) => await api.call(markRead, { body: { ids } }),
  unread: async (ids: number[]) => await api.call(markUnread, { body: { ids } }),
  remove: async (ids: number[]) => await api.call(removeNotifications, { body: { ids } }),
};
export { mostAtOnce };

export function usePreferencesOfKinds() {
  return useQuery(queryOf(getPreferences, {}));
}

export function useChoose() {
  const client = useQueryClient();
  const { queryKey } = queryOf(getPreferences, {});
  return useMutation({
    mutationFn: async ({ kind, channels }: Pick<Preference, "kind" | "channels">) =>
      await api.call(putPreferences, { body: { kinds: [{ kind, channels }] } }),
    onMutate({ kind, channels }) {
      const before = client.getQueryData<OutputOf<typeof getPreferences>>(queryKey);
      if (before) {
        const kinds = before.kinds.map((one) => (one.kind === kind ? { ...one, channels } : one));
        client.setQueryData(queryKey, { ...before, kinds });
      }
      return before;
    },
    onError: (_error, _choice, before) => client.setQueryData(queryKey, before),
    onSuccess: (data) => client.setQueryData(queryKey, data),
  });
}

export function useTryOut() {
  return useMutation({ mutationFn: async () => await api.call(tryNotification) });
}
