import { IconAlertTriangle } from "@tabler/icons-react";
import type { AccessDecision, RoleGrant } from "@rollcall/server/contract/access";
import { useText } from "#core/i18n.ts";
import { useJob } from "#core/jobs.tsx";
import { permissionName } from "#core/messages.ts";
import { AttributeEditor, type Job } from "./attributes.tsx";
import type { GradeOfJob } from "./affected.ts";
import { effectOf, firstValue, reasonText, choiceOf, unsetValue, type Permission, type GrantChoice } from "./grants.ts";
import { useAttributeText } from "./naming.tsx";
import { Toggle } from "./toggle.tsx";
import classes from "./access.module.css";

export interface RowProps {
  readonly permission: Permission;
  readonly grant: RoleGrant | undefined;
  readonly changed: boolean;
  /** The grade of the role; null for the default role. */
  readonly at: GradeOfJob | null;
  /** What it is while it is not set here. */
  readonly sameAs: string;
  /** The decision in effect without this role. */
  readonly inherited: AccessDecision | undefined;
  /** The limits of the job do not include this permission. */
  readonly beyond: boolean;
  readonly jobs: readonly Job[];
  readonly readOnly: boolean;
  onChange(grant: RoleGrant | null): void;
}

/** The grant of a choice; one that stays allowed keeps its attributes. */
export const grantAs = (choice: GrantChoice, before: RoleGrant | undefined): RoleGrant | null =>
  choice === "inherit" ? null : { allow: choice === "allow", attributes: choice === "allow" ? (before?.attributes ?? {}) : {} };

/** One permission: what holds in effect, the role's choice, and its attributes. */
export function PermissionRow(props: RowProps) {
  const { t } = useText();
  const textOf = useAttributeText();
  const { permission, grant, inherited, beyond } = props;
  const choice = choiceOf(grant);
  const effect = effectOf(choice, { inherited, at: props.at, beyond });
  const reason = reasonText(t, effect, useJob(effect?.from?.job ?? ""));
  return (
    <div className={classes["row"]} data-changed={props.changed}>
      <div className={classes["text"]}>
        <div>{permissionName(t, permission.id)}</div>
        <div className={classes["quiet"]} data-held={effect?.held ?? false}>
          <span className={classes["reason"]}>{reason}</span>
        </div>
        {beyond && choice === "allow" && (
          <div className={classes["clipped"]}>
            <IconAlertTriangle size={13} aria-hidden /> {t("access.clipped")}
          </div>
        )}
      </div>
      <Toggle
        label={permissionName(t, permission.id)}
        choice={choice}
        sameAs={props.sameAs}
        readOnly={props.readOnly}
        onChange={(next) => props.onChange(grantAs(next, grant))}
      />
      {(choice === "allow" || (choice === "inherit" && inherited?.held === true)) && permission.attributes.length > 0 && (
        <div className={classes["attributes"]}>
          {permission.attributes.map((attribute) => {
            const other = inherited?.attributes.find(({ name }) => name === attribute.name);
            const otherwise = other?.value ?? unsetValue(attribute);
            const otherText = otherwise ? textOf(permission.id, attribute.name, otherwise) : t("access.nothing");
            return (
              <AttributeEditor
                key={attribute.name}
                permission={permission.id}
                feature={permission.feature}
                attribute={attribute}
                jobs={props.jobs}
                readOnly={props.readOnly || choice !== "allow"}
                value={grant?.attributes[attribute.name]}
                otherwise={t("access.inheritedValue", { from: props.sameAs, value: otherText })}
                initial={attribute.type === "data" ? [] : (other?.value ?? firstValue(attribute))}
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
