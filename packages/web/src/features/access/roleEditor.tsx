import { useMemo } from "react";
import type { AccessDecision, JobLimits, RoleGrant, RoleGrants, RowLabels } from "@rollcall/server/contract/access";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { useJobs } from "#core/jobs.tsx";
import { permissionName } from "#core/messages.ts";
import { Form, FormBar } from "#ui/form.tsx";
import { useFormValue } from "#ui/formContext.ts";
import { OwnField } from "#ui/formFields.tsx";
import { namesText } from "#ui/names.ts";
import { affectedText, useAffected, type GradeOfJob } from "./affected.ts";
import { changesBetween, withGrant, type Catalogue } from "./grants.ts";
import { anything, fieldOf, fromFields, intoFields } from "./fields.ts";
import { RowNames, useGrantText } from "./naming.tsx";
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
  /** The grade of the role; null for the default role. */
  readonly at: GradeOfJob | null;
  /** What a permission is that is not set here: that of the grade below, by its name. */
  readonly sameAs: string;
  readonly mayEdit: boolean;
  readonly note: string | null;
  save(version: number, grants: RoleGrants): Promise<unknown>;
  /** Reads the role as it is stored now. */
  read(): Promise<{ readonly version: number; readonly grants: RoleGrants }>;
}

interface Values {
  readonly [field: string]: unknown;
  readonly grants: Readonly<Record<string, unknown>>;
}

const grantsOf = ({ grants }: Values) => fromFields(grants) as RoleGrants;

function useRoleForm({ form, catalogue, version, grants, mayEdit, save, read }: RoleEditorProps) {
  const { t } = useText();
  const textOf = useGrantText("access.said");
  return useContractForm<Values>({
    contract: anything,
    fields: Object.fromEntries(
      catalogue.permissions.map(({ id }) => [
        `grants.${fieldOf(id)}`,
        { label: permissionName(t, id), show: (grant) => textOf(id, (grant as RoleGrant | undefined) ?? null) },
      ]),
    ),
    stored: useMemo(() => ({ version, values: { grants: intoFields(grants) } }), [version, grants]),
    ...(mayEdit ? { draft: form } : {}),
    save: async (values, base) => await save(base, grantsOf(values)),
    async read() {
      const now = await read();
      return { version: now.version, values: { grants: intoFields(now.grants) } };
    },
  });
}

/** The grants of one role, edited as a draft until they are saved. */
export function RoleEditor(props: RoleEditorProps) {
  return (
    <RowNames permissions={props.catalogue.permissions} labels={props.labels}>
      {/* A form that begins without a draft keeps none. */}
      <RoleForm key={`${props.form} ${props.mayEdit}`} {...props} />
    </RowNames>
  );
}

function RoleForm(props: RoleEditorProps) {
  const form = useRoleForm(props);
  return (
    <Form form={form} className={classes["editor"]} label={props.title} inSearch>
      <OwnField<Values["grants"]> at="grants">
        {({ value, set }) => (
          <Grants {...props} edited={grantsOf({ grants: value })} edit={(grants) => set(intoFields(grants))} />
        )}
      </OwnField>
      {props.mayEdit && <FormBar what={<Unsaved {...props} />} />}
    </Form>
  );
}

/** How many changes are not saved, and whom saving them affects. */
function Unsaved({ at, grants }: RoleEditorProps) {
  const { t } = useText();
  const edited = grantsOf({ grants: useFormValue<Values["grants"]>("grants") });
  const changes = changesBetween(grants, edited);
  const names = changes.map(({ permission }) => permissionName(t, permission));
  return (
    <>
      <strong>{t("access.unsaved", { count: changes.length })}</strong>
      <span>{namesText(t, names, names.length)}</span>
      {at ? <AffectedPeople at={at} edited={edited} /> : <span>{t("access.affected.everyone")}</span>}
    </>
  );
}

function AffectedPeople({ at, edited }: { at: GradeOfJob; edited: RoleGrants }) {
  const { t } = useText();
  const { data } = useAffected(at, edited, true);
  return data ? <span>{affectedText(t, data)}</span> : null;
}

interface GrantsProps extends RoleEditorProps {
  readonly edited: RoleGrants;
  edit(grants: RoleGrants): void;
}

function Grants({ edited, edit, ...props }: GrantsProps) {
  const { catalogue, limits, mayEdit } = props;
  const jobs = useJobs();
  const changes = changesBetween(props.grants, edited);
  const changed = new Set(changes.map(({ permission }) => permission));
  return (
    <>
      <header className={classes["editorHead"]}>
        <h2>{props.title}</h2>
        <div className={classes["tools"]}>
          <RoleTools {...props} grants={edited} stored={props.grants} onPropose={mayEdit ? edit : null} />
        </div>
      </header>
      {props.note !== null && <p className={classes["quiet"]}>{props.note}</p>}
      <PermissionList permissions={catalogue.permissions}>
        {(permission) => (
          <PermissionRow
            key={permission.id}
            permission={permission}
            grant={edited[permission.id]}
            changed={changed.has(permission.id)}
            at={props.at}
            sameAs={props.sameAs}
            inherited={props.inherited.find((one) => one.permission === permission.id)}
            beyond={limits !== null && limits[permission.id] === undefined}
            jobs={jobs.data?.jobs ?? []}
            readOnly={!mayEdit}
            onChange={(grant) => edit(withGrant(edited, permission.id, grant))}
          />
        )}
      </PermissionList>
    </>
  );
}
