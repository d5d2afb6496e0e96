import type { ReactNode } from "react";
import { NumberInput, PasswordInput, Select, Switch, TagsInput, Textarea, TextInput, type TextInputProps } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { useFormAround, useFormValue } from "./formContext.ts";

interface FieldProps {
  /** Path of the field in its contract, with dots. */
  readonly at: string;
  readonly description?: string | undefined;
  readonly disabled?: boolean;
  /** Takes the focus when the page or dialog opens. */
  readonly autoFocus?: boolean;
}

/** What the form and its contract say about a field. */
function useField({ at, description, disabled = false, autoFocus = false }: FieldProps, type: "input" | "checkbox" = "input") {
  const { inputs, fields, limits } = useFormAround();
  const { required, maxLength, minimum, maximum, maxItems } = limits(at);
  const props = {
    ...inputs.getInputProps(at, { type }),
    label: fields[at]?.label ?? at,
    disabled,
    ...(description === undefined ? {} : { description }),
    ...(autoFocus ? { autoFocus, "data-autofocus": true } : {}),
  };
  const needed = { required, withAsterisk: false };
  return { key: inputs.key(at), props, needed, maxLength, minimum, maximum, maxItems };
}

type TextOptions = Pick<
  TextInputProps,
  "name" | "autoComplete" | "autoCapitalize" | "inputMode" | "type" | "placeholder" | "spellCheck"
>;

export function TextField({ at, description, disabled, autoFocus, ...options }: FieldProps & TextOptions) {
  const field = useField({ at, ...given({ description, disabled, autoFocus }) });
  return <TextInput key={field.key} {...field.props} {...field.needed} {...length(field)} {...options} />;
}

export function PasswordField({
  at,
  description,
  autoFocus,
  ...options
}: FieldProps & { readonly name: string; readonly autoComplete: string }) {
  const { t } = useText();
  const field = useField({ at, ...given({ description, autoFocus }) });
  return (
    <PasswordInput
      key={field.key}
      {...field.props}
      {...field.needed}
      {...length(field)}
      {...options}
      visibilityToggleButtonProps={{ "aria-label": t("auth.login.showPassword"), tabIndex: 0 }}
    />
  );
}

interface AreaProps extends FieldProps {
  readonly rows: number;
  /** The heading above says the same already. */
  readonly hideLabel?: boolean;
}

export function AreaField({ rows, hideLabel = false, ...given }: AreaProps) {
  const field = useField(given);
  const { label, ...props } = field.props;
  const name = hideLabel ? { "aria-label": label } : { label };
  return <Textarea key={field.key} rows={rows} {...props} {...name} {...field.needed} {...length(field)} />;
}

export function NumberField(given: FieldProps) {
  const field = useField(given);
  const { minimum, maximum } = field;
  const range = { ...(minimum === undefined ? {} : { min: minimum }), ...(maximum === undefined ? {} : { max: maximum }) };
  // Beyond its limits a number is refused with a word, and not changed by itself.
  return <NumberInput key={field.key} allowDecimal={false} clampBehavior="none" {...range} {...field.props} {...field.needed} />;
}

export function SwitchField(given: FieldProps) {
  const field = useField(given, "checkbox");
  return <Switch key={field.key} {...field.props} />;
}

export function TagsField({ placeholder, ...given }: FieldProps & { readonly placeholder: string }) {
  const { t } = useText();
  const field = useField(given);
  const most = field.maxItems === undefined ? {} : { maxTags: field.maxItems };
  return (
    <TagsInput
      key={field.key}
      placeholder={placeholder}
      splitChars={[",", " "]}
      clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
      {...most}
      {...field.props}
    />
  );
}

interface ChoiceProps extends FieldProps {
  readonly data: readonly { readonly value: string; readonly label: string }[];
}

/** One of a fixed set. */
export function ChoiceField({ data, ...given }: ChoiceProps) {
  const field = useField(given);
  return <Select key={field.key} data={[...data]} allowDeselect={false} {...field.props} />;
}

interface OwnFieldProps<T> {
  readonly at: string;
  children(field: { readonly value: T; set(value: T): void; readonly error: ReactNode }): ReactNode;
}

/** A field with an input of its own, which is rendered with each change of its value. */
export function OwnField<T>({ at, children }: OwnFieldProps<T>) {
  const { inputs } = useFormAround();
  const value = useFormValue<T>(at);
  const set = (next: T) => inputs.setFieldValue(at, next);
  return <div data-path={at}>{children({ value, set, error: inputs.errors[at] })}</div>;
}

const length = ({ maxLength }: { readonly maxLength: number | undefined }) => (maxLength === undefined ? {} : { maxLength });

/** Without what is undefined. */
function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}
