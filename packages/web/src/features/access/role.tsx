import { useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { IconEye, IconTrash } from "@tabler/icons-react";
import {
  accessCatalogue,
  accessPermissions,
  defaultHistory,
  deleteRole,
  getDefaultRole,
  getRole,
  listRoles,
  putDefaultRole,
  putRole,
  roleHistory,
  undoDefault,
  undoRole,
} from "@rollcall/server/contract/access";
import { seeAs } from "@rollcall/server/contract/auth";
import type { OutputOf } from "@rollcall/server/contract/core";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { hasNothing, queryOf } from "#core/queries.ts";
import { api, session } from "#core/services.ts";
import { Confirm, offerUndo } from "#ui/confirm.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { deletionOf, savedText, useAffected, type GradeOfJob } from "./affected.ts";
import { RoleEditor } from "./roleEditor.tsx";

export type Grade = OutputOf<typeof listRoles>["grades"][number];

/** Runs a change and reloads the roles, whether it succeeded or not. */
export function useChange() {
  const queries = useQueryClient();
  return async <T,>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } finally {
      const keys = [listRoles.id, getRole.id, getDefaultRole.id];
      await Promise.all(keys.map(async (id) => await queries.invalidateQueries({ queryKey: [id] })));
    }
  };
}

interface OneRoleProps {
  readonly job: string;
  readonly grade: Grade;
  readonly others: readonly Grade[];
}

export function OneRole({ job, grade, others }: OneRoleProps) {
  const { t } = useText();
  const abilities = useAbilities();
  const change = useChange();
  const [error, setError] = useState<unknown>(null);
  const [deleting, setDeleting] = useState(false);
  const params = { job, grade: grade.grade };
  const catalogue = useQuery({ ...queryOf(accessCatalogue, {}), staleTime: 300_000 });
  const role = useQuery(queryOf(getRole, { params }));
  if (hasNothing(role)) return <ProblemNote error={role.error} onRetry={() => void role.refetch()} />;
  if (hasNothing(catalogue)) return <ProblemNote error={catalogue.error} onRetry={() => void catalogue.refetch()} />;
  if (!role.data || !catalogue.data) return <Bars widths={["40%", "90%", "80%", "85%"]} />;

  const look = async () => {
    setError(null);
    try {
      await api.call(seeAs, { body: { grade: grade.grade } });
      await session.renewRights();
    } catch (problem) {
      setError(problem);
    }
  };
  const undo = async (version: number) => await change(async () => await api.call(undoRole, { params: { ...params, version } }));
  const below = others.filter((one) => one.grade < grade.grade).toSorted((a, b) => b.grade - a.grade)[0];
  const compare = others
    .filter((one) => one.role && one.grade !== grade.grade)
    .map((one) => ({
      value: String(one.grade),
      label: `${one.grade} ${one.label}`,
      read: async () => (await api.call(getRole, { params: { job, grade: one.grade } })).grants,
    }));
  const looks = abilities.has(accessPermissions.editRoles) && grade.mayEdit;
  const actions = [
    ...(looks ? [{ icon: <IconEye size={15} />, text: t("access.seeAs"), run: () => void look() }] : []),
    ...(grade.mayDelete
      ? [{ icon: <IconTrash size={15} />, text: t("access.delete"), danger: true, run: () => setDeleting(true) }]
      : []),
  ];
  return (
    <>
      {error !== null && <ProblemNote error={error} />}
      <RoleEditor
        form={`access.role.${job}.${grade.grade}`}
        title={`${grade.grade} ${grade.label}`}
        catalogue={catalogue.data}
        {...role.data}
        at={params}
        sameAs={below ? t("access.sameAs", { grade: below.label || below.grade }) : t("access.sameAsEveryone")}
        mayEdit={grade.mayEdit}
        note={grade.mayEdit ? null : t("access.roles.readOnly")}
        save={async (version, grants) => {
          const saved = await change(async () => await api.call(putRole, { params, body: { version, grants } }));
          offerUndo(t, { title: savedText(t, saved.affected), undo: async () => await undo(saved.version) });
        }}
        read={async () => await api.call(getRole, { params })}
        history={{
          key: [roleHistory.id, params],
          read: async () => await api.call(roleHistory, { params }),
          undo: grade.mayEdit ? undo : null,
        }}
        compare={compare}
        actions={actions}
      />
      {deleting && (
        <Deletion at={params} label={grade.label || t("access.grade", params)} undo={undo} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}

interface DeletionProps {
  readonly at: GradeOfJob;
  readonly label: string;
  undo(version: number): Promise<unknown>;
  onClose(): void;
}

/** Names what is lost and whom it hits, before the role is deleted. */
function Deletion({ at, label, undo, onClose }: DeletionProps) {
  const { t } = useText();
  const change = useChange();
  const { data, error } = useAffected(at, null, true);
  const remove = async () => {
    const gone = await change(async () => await api.call(deleteRole, { params: at }));
    const text = t("access.deletion.done", { grade: label });
    offerUndo(t, { title: text, text: savedText(t, gone.affected), undo: async () => await undo(gone.version) });
  };
  const question = data
    ? deletionOf(t, label, data)
    : {
        title: t("access.deletion.title", { grade: label }),
        text: error ? <ProblemNote error={error} /> : <Bars widths={["80%", "60%"]} />,
        yes: t("access.delete"),
      };
  return <Confirm question={question} onYes={remove} onClose={onClose} />;
}

export function DefaultRole() {
  const { t } = useText();
  const change = useChange();
  const catalogue = useQuery({ ...queryOf(accessCatalogue, {}), staleTime: 300_000 });
  const role = useQuery(queryOf(getDefaultRole, {}));
  if (hasNothing(role)) return <ProblemNote error={role.error} onRetry={() => void role.refetch()} />;
  if (!role.data || !catalogue.data) return <Bars widths={["40%", "90%", "80%", "85%"]} />;
  const undo = async (version: number) => await change(async () => await api.call(undoDefault, { params: { version } }));
  return (
    <RoleEditor
      form="access.role.default"
      title={t("access.roles.default")}
      catalogue={catalogue.data}
      {...role.data}
      at={null}
      sameAs={t("access.said.inherit")}
      inherited={[]}
      limits={null}
      mayEdit
      note={t("access.roles.defaultNote")}
      save={async (version, grants) => {
        const saved = await change(async () => await api.call(putDefaultRole, { body: { version, grants } }));
        offerUndo(t, { title: t("access.savedForAll"), undo: async () => await undo(saved.version) });
      }}
      read={async () => await api.call(getDefaultRole)}
      history={{ key: [defaultHistory.id], read: async () => await api.call(defaultHistory), undo }}
      compare={[]}
      actions={[]}
    />
  );
}
