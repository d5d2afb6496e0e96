import { IconAlertTriangle } from "@tabler/icons-react";
import type { AccessDecision, RoleGrant } from "@rollcall/server/contract/access";
import { useText } from "#core/i18n.ts";
import { permissionName } from "#core/messages.ts";
import { AttributeEditor, type Job } from "./attributes.tsx";
import { firstValue, reasonText, choiceOf, unsetValue, type Permission, type GrantChoice } from "./grants.ts";
import { useAttributeText } from "./naming.tsx";
import { Toggle } from "./toggle.tsx";
import classes from "./access.module.css";

export interface RowProps {
  readonly permission: Permission;
  readonly grant: RoleGrant | undefined;
  readonly changed: boolean;
  /** The decision in effect without this role. */
  readonly inherited: AccessDecision | undefined;
  /** The limits of the job do not include this permission. */
  readonly beyond: boolean;
  readonly jobs: readonly Job[];
  readonly readOnly: boolean;
  onChange(grant: RoleGrant | null): void;
}

const grantAs = (choice: GrantChoice, before: RoleGrant | undefined): RoleGrant | null =>
  choice === "inherit" ? null : { allow: choice === "allow", attributes: choice === "allow" ? (before?.attributes ?? {}) : {} };

/** One permission: the role's choice, the decision in effect without it, and its attributes. */
export function PermissionRow(props: RowProps) {
  const { t } = useText();
  const textOf = useAttributeText();
  const { permission, grant, inherited, beyond } = props;
  const choice = choiceOf(grant);
  const inherits = t("access.otherwise", { reason: reasonText(t, inherited) });
  return (
    <div className={classes["row"]} data-changed={props.changed}>
      <div className={classes["text"]}>
        <div>{permissionName(t, permission.id)}</div>
        <div className={classes["quiet"]} data-held={inherited?.held ?? false}>
          {choice === "inherit" ? reasonText(t, inherited) : inherits}
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
                otherwise={t("access.inheritedValue", { value: otherText })}
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
