import { useEffect } from "react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { IconShieldCheck } from "@tabler/icons-react";
import { accessPermissions, listRoles } from "@rollcall/server/contract/access";
import { useAbilities, useActiveIdentity, useWorkedJob } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { useSession } from "#core/services.ts";
import { JobTag } from "#ui/small.tsx";
import { ForbiddenPage } from "#ui/refusals.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { AdminModeNeeded } from "./adminMode.tsx";
import { Matrix } from "./matrix.tsx";
import { SideItem } from "./sideItem.tsx";
import { DefaultRole, OneRole, type Grade } from "./role.tsx";
import classes from "./access.module.css";

const EVERYONE = "default";
/** The roles of other jobs, which need admin mode. */
const JOBS = "jobs";
const ALL = "all";

export default function RolesPage() {
  return useSession().phase === "active" ? <RolesOfJob /> : <RolesAlone />;
}

/** Before there is a character, as after the setup: the default role, and what the other roles wait for. */
function RolesAlone() {
  const { t } = useText();
  return (
    <div className={classes["page"]}>
      <div className={classes["head"]}>
        <h1>{t("access.roles.title")}</h1>
        <span className={classes["quiet"]}>{t("access.roles.alone")}</span>
      </div>
      <div className={`rc-room ${classes["main"]}`}>
        <DefaultRole />
      </div>
    </div>
  );
}

function RolesOfJob() {
  const { t } = useText();
  const job = useWorkedJob();
  const { account, jobAdmin } = useActiveIdentity();
  const abilities = useAbilities();
  const views = abilities.has(accessPermissions.viewRoles) || abilities.has(accessPermissions.editRoles);
  const navigate = useNavigate();
  const { grade } = useSearch({ strict: false }) as { grade?: string };
  const roles = useQuery({ ...queryOf(listRoles, { params: { job } }), enabled: views });
  const grades = roles.data?.grades ?? [];
  const usual = views ? String((grades.find((one) => one.role && one.mayEdit) ?? grades[0])?.grade ?? "") : EVERYONE;
  const offersAdminMode = account.mayJobAdmin && jobAdmin === null;
  const isStale = grade === JOBS && !offersAdminMode;
  const asked = isStale ? undefined : grade;
  // In admin mode the choice is gone; an address that still names it would show it again after the mode.
  useEffect(() => {
    if (isStale) void navigate({ to: "/panel/roles", search: {}, replace: true });
  }, [isStale, navigate]);
  const chosen = asked === EVERYONE && account.configAdmin ? EVERYONE : (asked ?? usual);
  const open = (value: string) => void navigate({ to: "/panel/roles", search: { grade: value } });
  const shown = grades.find((one) => String(one.grade) === chosen);
  if (!views && !account.configAdmin) return <ForbiddenPage permission={accessPermissions.viewRoles.id} page />;

  return (
    <div className={classes["page"]}>
      <div className={classes["head"]}>
        <h1>{t("access.roles.title")}</h1>
        {roles.data && <JobTag job={{ name: job, label: roles.data.label }} />}
      </div>
      {roles.isError && <ProblemNote error={roles.error} onRetry={() => void roles.refetch()} />}
      <div className={classes["columns"]}>
        <nav className={classes["side"]} data-sideways aria-label={t("access.roles.grades")}>
          {grades.length > 1 && (
            <SideItem
              current={chosen === ALL}
              onOpen={() => open(ALL)}
              title={t("access.matrix.title")}
              text={t("access.matrix.text")}
            />
          )}
          {views && roles.isPending && <Bars widths={["80%", "70%", "85%"]} />}
          {grades.map((one) => (
            <GradeButton key={one.grade} grade={one} current={chosen === String(one.grade)} onOpen={open} />
          ))}
          {offersAdminMode && (
            <SideItem
              current={chosen === JOBS}
              onOpen={() => open(JOBS)}
              title={t("access.adminMode.title")}
              text={t("access.adminMode.where")}
            />
          )}
          {account.configAdmin && (
            <SideItem
              current={chosen === EVERYONE}
              onOpen={() => open(EVERYONE)}
              title={t("access.roles.default")}
              text={t("access.roles.defaultText")}
            />
          )}
        </nav>
        <div className={`rc-room ${classes["main"]}`}>
          {chosen === JOBS ? (
            <AdminModeNeeded title={t("access.adminMode.title")} text={t("access.adminMode.text")} />
          ) : chosen === EVERYONE ? (
            <DefaultRole />
          ) : chosen === ALL && views ? (
            <Matrix job={job} onOpen={open} />
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

function GradeButton(props: { grade: Grade; current: boolean; onOpen: (grade: string) => void }) {
  const { t } = useText();
  const { grade, label, held, people } = props.grade;
  return (
    <SideItem
      current={props.current}
      onOpen={() => props.onOpen(String(grade))}
      title={
        <>
          <span className={classes["number"]}>{grade}</span> {label}
        </>
      }
      text={`${t("access.permissionCount", { count: held })}, ${t("access.personCount", { count: people })}`}
    />
  );
}
