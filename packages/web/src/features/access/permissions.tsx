import { useDeferredValue, useState, type ReactNode } from "react";
import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { featureName, found, grouped, type Permission } from "./grants.ts";
import classes from "./access.module.css";

interface PermissionListProps {
  readonly permissions: readonly Permission[];
  /** Of the names of the features; the level below the heading before. */
  readonly heading?: "h2" | "h3";
  readonly children: (permission: Permission) => ReactNode;
}

/** Permissions by feature, with a search box above; the caller renders each row. */
export function PermissionList({ heading: Heading = "h3", ...props }: PermissionListProps) {
  const { t } = useText();
  const [text, setText] = useState("");
  const shown = found(t, props.permissions, useDeferredValue(text));
  return (
    <div>
      <TextInput
        className={classes["find"] ?? ""}
        aria-label={t("access.find")}
        placeholder={t("access.find")}
        leftSection={<IconSearch size={15} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {grouped(shown).map(({ feature, permissions }) => (
        <section key={feature} className={classes["group"]} aria-label={featureName(t, feature)}>
          <Heading>{featureName(t, feature)}</Heading>
          {permissions.map((permission) => props.children(permission))}
        </section>
      ))}
      {shown.length === 0 && <p className={classes["quiet"]}>{t("access.noneFound")}</p>}
    </div>
  );
}
