import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { previewRole, type RoleGrants } from "@rollcall/server/contract/access";
import type { OutputOf } from "@rollcall/server/contract/core";
import type { Translate } from "#core/i18n.ts";
import { permissionName } from "#core/messages.ts";
import { api } from "#core/services.ts";
import type { Question } from "#ui/confirm.tsx";
import { namesText } from "#ui/names.ts";

export interface GradeOfJob {
  readonly job: string;
  readonly grade: number;
}

export type Affected = OutputOf<typeof previewRole>;

const MOST_NAMES = 3;

/** Whom it would affect to save these grants, or to delete the role where they are null. */
export function useAffected(params: GradeOfJob, grants: RoleGrants | null, enabled: boolean) {
  return useQuery({
    queryKey: [previewRole.id, params, grants],
    queryFn: async ({ signal }) => await api.call(previewRole, { params, body: { grants } }, { signal }),
    enabled,
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** "4 people affected: Ada Berg, Emre Park and 2 more". */
export function affectedText(t: Translate, { people, names }: Affected): string {
  if (people === 0) return t("access.affected.nobody");
  const count = t("access.affected.people", { count: people });
  if (names.length === 0) return count;
  const who = namesText(
    t,
    names.map(({ name }) => name),
    people,
    MOST_NAMES,
  );
  return t("access.affected.named", { affected: count, names: who });
}

/** What deleting a role takes, and from whom. */
export function deletionOf(t: Translate, label: string, affected: Affected): Question {
  const { people, names, lost, gained, altered } = affected;
  const list = (permissions: readonly string[]) => permissions.map((id) => permissionName(t, id));
  const permissions = (count: number) => t("access.permissionCount", { count });
  const said = [
    ...(lost.length > 0 ? [t("access.deletion.loses", { count: people, permissions: permissions(lost.length) })] : []),
    ...(altered.length > 0 ? [t("access.deletion.alters", { count: people, permissions: permissions(altered.length) })] : []),
    ...(gained.length > 0 ? [t("access.deletion.gains", { count: people, permissions: permissions(gained.length) })] : []),
  ];
  const who = namesText(
    t,
    names.map(({ name }) => name),
    people,
    MOST_NAMES,
  );
  const what = said.join("; ");
  const text = people === 0 ? t("access.deletion.nobody") : names.length > 0 ? `${what}: ${who}` : what;
  return {
    title: t("access.deletion.title", { grade: label }),
    text,
    lost: [
      ...list(lost),
      ...list(altered).map((name) => t("access.deletion.altered", { name })),
      ...list(gained).map((name) => t("access.deletion.gained", { name })),
    ],
    yes: t("access.delete"),
  };
}

/** What is said after saving. */
export function savedText(t: Translate, affected: number): string {
  return affected === 0 ? t("access.savedNobody") : t("access.saved", { count: affected });
}
