import { useMemo, useState } from "react";
import { Button } from "@mantine/core";
import type { AccessDecision, JobLimits, RoleGrants, RowLabels } from "@rollcall/server/contract/access";
import { useDraft } from "#core/drafts.ts";
import { useText } from "#core/i18n.ts";
import { useJobs } from "#core/jobs.tsx";
import { ProblemNote } from "#ui/states.tsx";
import { changesBetween, withGrant, type Catalogue } from "./grants.ts";
import { RowNames } from "./naming.tsx";
import { PermissionRow } from "./permissionRow.tsx";
import { PermissionList } from "./permissions.tsx";
import { RoleTools, type ToolProps } from "./roleTools.tsx";
import classes from "./access.module.css";

export interface RoleEditorProps extends Pick<ToolProps, "history" | "compare" | "actions"> {
  /** Key of the draft, one for each role. */
  readonly form: string;
  readonly title: string;
  readonly catalogue: Catalogue;
  readonly version: number;
  readonly grants: RoleGrants;
  /** The decisions in effect without this role. */
  readonly inherited: readonly AccessDecision[];
  readonly limits: JobLimits | null;
  readonly labels: RowLabels;
  readonly mayEdit: boolean;
  readonly note: string | null;
  save(version: number, grants: RoleGrants): Promise<unknown>;
}

interface Draft {
  readonly version: number;
  readonly grants: RoleGrants | null;
}

const EMPTY: Draft = { version: 0, grants: null };

/** The grants of one role, edited as a draft until they are saved. */
export function RoleEditor(props: RoleEditorProps) {
  const { t } = useText();
  const { catalogue, limits, mayEdit } = props;
  const draft = useDraft<Draft>(props.form, EMPTY);
  const jobs = useJobs();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const edited = (mayEdit ? draft.value.grants : null) ?? props.grants;
  const changes = useMemo(() => changesBetween(props.grants, edited), [props.grants, edited]);
  const changed = new Set(changes.map(({ permission }) => permission));
  const unsaved = changes.length > 0;
  const outdated = unsaved && draft.value.version !== props.version;

  const edit = (grants: RoleGrants) =>
    draft.set({ grants, version: draft.value.grants === null ? props.version : draft.value.version });
  const discard = () => {
    setError(null);
    draft.clear();
  };
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      await props.save(draft.value.version, edited);
      draft.clear();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };

  return (
    <RowNames permissions={catalogue.permissions} labels={props.labels}>
      <div className={classes["editor"]}>
        <header className={classes["editorHead"]}>
          <h2>
            {props.title}
            {unsaved && <span className={classes["unsaved"]}>{t("access.unsaved", { count: changes.length })}</span>}
          </h2>
          <div className={classes["tools"]}>
            <RoleTools {...props} grants={edited} stored={props.grants} onPropose={mayEdit ? edit : null} />
            {unsaved && (
              <>
                <Button variant="default" onClick={discard} disabled={busy}>
                  {t("access.discard")}
                </Button>
                <Button onClick={() => void save()} loading={busy}>
                  {t("access.save")}
                </Button>
              </>
            )}
          </div>
        </header>
        {props.note !== null && <p className={classes["quiet"]}>{props.note}</p>}
        {outdated && <p className={classes["clipped"]}>{t("access.outdated")}</p>}
        {error !== null && <ProblemNote error={error} />}
        <PermissionList permissions={catalogue.permissions}>
          {(permission) => (
            <PermissionRow
              key={permission.id}
              permission={permission}
              grant={edited[permission.id]}
              changed={changed.has(permission.id)}
              inherited={props.inherited.find((one) => one.permission === permission.id)}
              beyond={limits !== null && limits[permission.id] === undefined}
              jobs={jobs.data?.jobs ?? []}
              readOnly={!mayEdit}
              onChange={(grant) => edit(withGrant(edited, permission.id, grant))}
            />
          )}
        </PermissionList>
      </div>
    </RowNames>
  );
}
