import { useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import {
  avatarsTopic,
  avatarTopic,
  citizensOrders,
  citizensTopic,
  citizenTopic,
  citizensPermissions,
  getCitizen,
  getResync,
  listCitizens,
  requestResync,
  resyncTopic,
} from "@rollcall/server/contract/citizens";
import { abilitiesOf, useActiveIdentity } from "#core/abilities.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow, useListedRow, useLiveAnswer, useLiveList } from "#core/realtime/lists.ts";
import { filtersOf } from "#core/search.ts";
import { api } from "#core/services.ts";
import { byNumber, byText, comparedBy, type Comparisons, mayMatch } from "#core/order.ts";
import { type CitizensSearch, isRanked } from "./citizens.search.ts";
import { fitsFilters } from "./rows.ts";

export type Citizen = OutputOf<typeof getCitizen>;
export type Resync = OutputOf<typeof getResync>;
export type CitizenRow = OutputOf<typeof listCitizens>["items"][number];

/** What the server orders by, where the rows hold it in full: the value of a missing one is the server's. */
const compares: Comparisons<CitizenRow> = {
  name: byText(({ firstName, lastName }) => `${lastName} ${firstName}`),
  updatedAt: byNumber(({ updatedAt }) => updatedAt),
};

/** The filtered list, page by page, with live changes. */
export function useCitizens(search: CitizensSearch) {
  const { q, dateOfBirth, job, phone, order } = search;
  const ranked = isRanked(search);
  const list = useLiveList<CitizenRow>({
    operation: listCitizens,
    topic: citizensTopic,
    filters: filtersOf(search),
    ...comparedBy(compares, ranked ? undefined : (order ?? citizensOrders.default)),
    ...(ranked || phone !== undefined || dateOfBirth !== undefined || job !== undefined
      ? {
          matches: (row) => fitsFilters(search, row),
          likely: (row) => q === undefined || mayMatch(q, [`${row.firstName} ${row.lastName}`, row.phoneNumber]),
        }
      : {}),
  });
  useFollow(avatarsTopic);
  return list;
}

/** Whether the viewer may open this profile: with the right, and the own one always. */
export function useMayOpen(id: number): boolean {
  const { character, rights } = useActiveIdentity();
  return id === character.id || abilitiesOf(rights).has(citizensPermissions.view);
}

/** One citizen with live changes; `deleted` once the game has removed it. Until it is read, `listed` is its row of a list. */
export function useCitizen(id: number) {
  const enabled = useMayOpen(id);
  const {
    query,
    data: citizen,
    deleted,
  } = useLiveAnswer(getCitizen, { params: { id } }, { topic: citizenTopic, key: id, enabled });
  useFollow(enabled ? avatarTopic : null, id);
  return { query, citizen, deleted, listed: useListedRow(listCitizens, id, citizen !== undefined) };
}

/** A game server that stops or starts sends no event. Milliseconds. */
const CONNECTION_CHECK = 20_000;

/** How the last resynchronisation stands, with live changes; of nobody while `id` is null. */
export function useResync(id: number | null) {
  const query = useQuery({
    ...queryOf(getResync, { params: { id: id ?? 0 } }),
    enabled: id !== null,
    refetchInterval: CONNECTION_CHECK,
  });
  useFollow(id === null ? null : resyncTopic, id ?? 0);
  return query;
}

export async function requestResyncOf(id: number): Promise<Resync> {
  return await api.call(requestResync, { params: { id } });
}
