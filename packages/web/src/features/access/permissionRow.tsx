import { IconAlertTriangle } from "@tabler/icons-react";
import type { AccessDecision, RoleGrant } from "@rollcall/server/contract/access";
import { useText } from "#core/i18n.ts";
import { permissionName } from "#core/words.ts";
import { AttributeEditor, type Job } from "./attributes.tsx";
import { reasonWords, saidOf, valueWords, type Permission, type Said } from "./grants.ts";
import { Toggle } from "./toggle.tsx";
import classes from "./access.module.css";

export interface RowProps {
  readonly permission: Permission;
  readonly grant: RoleGrant | undefined;
  readonly changed: boolean;
  /** What holds without this role. */
  readonly inherited: AccessDecision | undefined;
  /** The limits of the job do not name this permission. */
  readonly beyond: boolean;
  readonly jobs: readonly Job[];
  readonly readOnly: boolean;
  onChange(grant: RoleGrant | null): void;
}

const grantAs = (said: Said, before: RoleGrant | undefined): RoleGrant | null =>
  said === "inherit" ? null : { allow: said === "allow", attributes: said === "allow" ? (before?.attributes ?? {}) : {} };

/** One permission: what the role says, what would hold otherwise, and its attributes. */
export function PermissionRow(props: RowProps) {
  const { t } = useText();
  const { permission, grant, inherited, beyond } = props;
  const said = saidOf(grant);
  const inherits = t("access.otherwise", { reason: reasonWords(t, inherited) });
  return (
    <div className={classes["row"]} data-changed={props.changed}>
      <div className={classes["words"]}>
        <div>{permissionName(t, permission.id)}</div>
        <div className={classes["quiet"]} data-held={inherited?.held ?? false}>
          {said === "inherit" ? reasonWords(t, inherited) : inherits}
        </div>
        {beyond && said === "allow" && (
          <div className={classes["clipped"]}>
            <IconAlertTriangle size={13} aria-hidden /> {t("access.clipped")}
          </div>
        )}
      </div>
      <Toggle
        label={permissionName(t, permission.id)}
        said={said}
        readOnly={props.readOnly}
        onChange={(next) => props.onChange(grantAs(next, grant))}
      />
      {(said === "allow" || (said === "inherit" && inherited?.held === true)) && permission.attributes.length > 0 && (
        <div className={classes["attributes"]}>
          {permission.attributes.map((attribute) => {
            const other = inherited?.attributes.find(({ name }) => name === attribute.name);
            const otherWords = other ? valueWords(t, permission.feature, other.value) : t("access.nothing");
            return (
              <AttributeEditor
                key={attribute.name}
                feature={permission.feature}
                attribute={attribute}
                jobs={props.jobs}
                readOnly={props.readOnly || said !== "allow"}
                value={grant?.attributes[attribute.name]}
                otherwise={t("access.inheritedValue", { value: otherWords })}
                initial={other?.value ?? (attribute.type === "jobGrades" ? {} : [])}
                onChange={(value) => {
                  const { [attribute.name]: _gone, ...others } = grant?.attributes ?? {};
                  props.onChange({
                    allow: true,
                    attributes: value === undefined ? others : { ...others, [attribute.name]: value },
                  });
                }}
              />
            );
          })}
        </div>
      )}
    </div>
  );
}
