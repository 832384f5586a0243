import { TextField } from './text-field.tsx';

interface AccountEmailFieldProps {
  value: string;
  onChange: (email: string) => void;
}

/** The address that a member signs in with. */
export function AccountEmailField({ value, onChange }: AccountEmailFieldProps) {
  return (
    <TextField
      label="Email"
      type="email"
      autoComplete="username"
      required
      value={value}
      onChange={onChange}
    />
  );
}
