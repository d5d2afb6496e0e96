import { useState } from "react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { IconEye, IconPlus, IconTrash } from "@tabler/icons-react";
import {
  accessCatalogue,
  accessPermissions,
  createRole,
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
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api, session } from "#core/services.ts";
import { JobTag } from "#ui/small.tsx";
import { ForbiddenPage } from "#ui/refusals.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { IconShieldCheck } from "@tabler/icons-react";
import { SideItem } from "./sideItem.tsx";
import { RoleEditor } from "./roleEditor.tsx";
import classes from "./access.module.css";

type Listed = OutputOf<typeof listRoles>;

/** The job whose roles are shown: that of job admin, that of the view as another grade, or one's own. */
function useJob(): string {
  const { jobAdmin, seeAs, character } = useActiveIdentity();
  return jobAdmin?.job ?? seeAs?.job ?? character.job.name;
}

const EVERYONE = "default";

export default function RolesPage() {
  const { t } = useText();
  const job = useJob();
  const { account } = useActiveIdentity();
  const abilities = useAbilities();
  const views = abilities.has(accessPermissions.viewRoles) || abilities.has(accessPermissions.editRoles);
  const navigate = useNavigate();
  const { grade } = useSearch({ strict: false }) as { grade?: string };
  const roles = useQuery({ ...queryOf(listRoles, { params: { job } }), enabled: views });
  const grades = roles.data?.grades ?? [];
  if (!views && !account.configAdmin) return <ForbiddenPage permission={accessPermissions.viewRoles.id} page />;

  const usual = views ? String((grades.find((one) => one.role && one.mayEdit) ?? grades[0])?.grade ?? "") : EVERYONE;
  const chosen = grade === EVERYONE && account.configAdmin ? EVERYONE : (grade ?? usual);
  const open = (value: string) => void navigate({ to: "/panel/roles", search: { grade: value } });
  const shown = grades.find((one) => String(one.grade) === chosen);

  return (
    <div className={classes["page"]}>
      <div className={classes["head"]}>
        <h1>{t("access.roles.title")}</h1>
        {roles.data && <JobTag job={{ name: job, label: roles.data.label }} />}
      </div>
      {roles.isError && <ProblemNote error={roles.error} onRetry={() => void roles.refetch()} />}
      <div className={classes["columns"]}>
        <nav className={classes["side"]} aria-label={t("access.roles.grades")}>
          {views && roles.isPending && <Bars widths={["80%", "70%", "85%"]} />}
          {grades.map((one) => (
            <GradeButton key={one.grade} grade={one} current={chosen === String(one.grade)} onOpen={open} />
          ))}
          {account.configAdmin && (
            <SideItem
              current={chosen === EVERYONE}
              onOpen={() => open(EVERYONE)}
              title={t("access.roles.default")}
              text={t("access.roles.defaultText")}
            />
          )}
        </nav>
        <div className={classes["main"]}>
          {chosen === EVERYONE ? (
            <DefaultRole />
          ) : shown ? (
            <OneRole key={`${job}/${shown.grade}`} job={job} grade={shown} others={grades} />
          ) : (
            roles.data && <EmptyState icon={IconShieldCheck} title={t("access.roles.empty")} text={t("access.roles.emptyText")} />
          )}
        </div>
      </div>
    </div>
  );
}

type Grade = Listed["grades"][number];

function GradeButton(props: { grade: Grade; current: boolean; onOpen: (grade: string) => void }) {
  const { t } = useText();
  const { grade, label, role } = props.grade;
  return (
    <SideItem
      current={props.current}
      onOpen={() => props.onOpen(String(grade))}
      title={
        <>
          <span className={classes["number"]}>{grade}</span> {label}
        </>
      }
      text={role ? t("access.roles.says", { allowed: role.allowed, denied: role.denied }) : t("access.roles.inherits")}
    />
  );
}

/** Runs a change and reloads the roles, whether it succeeded or not. */
function useChange() {
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

function OneRole({ job, grade, others }: { job: string; grade: Grade; others: readonly Grade[] }) {
  const { t } = useText();
  const abilities = useAbilities();
  const change = useChange();
  const [error, setError] = useState<unknown>(null);
  const params = { job, grade: grade.grade };
  const catalogue = useQuery({ ...queryOf(accessCatalogue, {}), staleTime: 300_000 });
  const role = useQuery(queryOf(getRole, { params }));
  const attempt = (work: () => Promise<unknown>) => {
    setError(null);
    change(work).catch(setError);
  };
  if (role.isError) return <ProblemNote error={role.error} onRetry={() => void role.refetch()} />;
  if (catalogue.isError) return <ProblemNote error={catalogue.error} onRetry={() => void catalogue.refetch()} />;
  if (!role.data || !catalogue.data) return <Bars widths={["40%", "90%", "80%", "85%"]} />;

  const look = async () => {
    await api.call(seeAs, { body: { grade: grade.grade } });
    await session.renewRights();
  };
  const below = abilities.has(accessPermissions.editRoles) && grade.mayEdit;
  const editable = grade.mayEdit && role.data.version > 0;
  const compare = others
    .filter((one) => one.role && one.grade !== grade.grade)
    .map((one) => ({
      value: String(one.grade),
      label: `${one.grade} ${one.label}`,
      read: async () => (await api.call(getRole, { params: { job, grade: one.grade } })).grants,
    }));
  const actions = [
    ...(below ? [{ icon: <IconEye size={15} />, text: t("access.seeAs"), run: () => attempt(look) }] : []),
    ...(grade.mayDelete
      ? [
          {
            icon: <IconTrash size={15} />,
            text: t("access.delete"),
            danger: true,
            run: () => attempt(async () => await api.call(deleteRole, { params })),
          },
        ]
      : []),
  ];
  return (
    <>
      {error !== null && <ProblemNote error={error} />}
      {role.data.version === 0 && grade.mayEdit && (
        <div className={classes["offer"]}>
          <span>{t("access.roles.none")}</span>
          <Button
            leftSection={<IconPlus size={15} />}
            onClick={() => attempt(async () => await api.call(createRole, { params: { job }, body: { grade: grade.grade } }))}
          >
            {t("access.roles.create")}
          </Button>
        </div>
      )}
      <RoleEditor
        form={`access.role.${job}.${grade.grade}`}
        title={`${grade.grade} ${grade.label}`}
        catalogue={catalogue.data}
        {...role.data}
        mayEdit={editable}
        note={grade.mayEdit ? null : t("access.roles.readOnly")}
        save={async (version, grants) => await change(async () => await api.call(putRole, { params, body: { version, grants } }))}
        read={async () => await api.call(getRole, { params })}
        history={{
          key: [roleHistory.id, params],
          read: async () => await api.call(roleHistory, { params }),
          undo: grade.mayEdit
            ? async (version) => await change(async () => await api.call(undoRole, { params: { ...params, version } }))
            : null,
        }}
        compare={compare}
        actions={actions}
      />
    </>
  );
}

function DefaultRole() {
  const { t } = useText();
  const change = useChange();
  const catalogue = useQuery({ ...queryOf(accessCatalogue, {}), staleTime: 300_000 });
  const role = useQuery(queryOf(getDefaultRole, {}));
  if (role.isError) return <ProblemNote error={role.error} onRetry={() => void role.refetch()} />;
  if (!role.data || !catalogue.data) return <Bars widths={["40%", "90%", "80%", "85%"]} />;
  return (
    <RoleEditor
      form="access.role.default"
      title={t("access.roles.default")}
      catalogue={catalogue.data}
      {...role.data}
      inherited={[]}
      limits={null}
      mayEdit
      note={t("access.roles.defaultNote")}
      save={async (version, grants) => await change(async () => await api.call(putDefaultRole, { body: { version, grants } }))}
      read={async () => await api.call(getDefaultRole)}
      history={{
        key: [defaultHistory.id],
        read: async () => await api.call(defaultHistory),
        undo: async (version) => await change(async () => await api.call(undoDefault, { params: { version } })),
      }}
      compare={[]}
      actions={[]}
    />
  );
}
