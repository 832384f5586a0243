import { VIEW_ALERT_SPANS, type ViewAlert, type ViewAlertSpan } from '@postern/contract/dashboard';
import { CheckBox } from '../../components/check-box.tsx';

interface ViewAlertFieldProps {
  value: ViewAlert | null;
  onChange: (value: ViewAlert | null) => void;
}

const STANDARD: ViewAlert = { atLeast: 20, span: 'hour' };
const SPAN_NAMES: Readonly<Record<ViewAlertSpan, string>> = { hour: 'an hour', day: 'a day' };

/** Whether, and from how many matches on, a view raises an alert. */
export function ViewAlertField({ value, onChange }: ViewAlertFieldProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 text-[0.8667rem]">
      <CheckBox checked={value !== null} onChange={(wanted) => onChange(wanted ? STANDARD : null)}>
        Alert when it matches often
      </CheckBox>
      {value !== null && (
        <span className="flex flex-wrap items-center gap-1.5 whitespace-nowrap text-soft">
          from
          <input
            type="number"
            min={1}
            max={1_000_000}
            aria-label="Matches"
            className="control num !w-24"
            defaultValue={value.atLeast}
            onChange={({ target }) => {
              if (target.value !== '' && target.validity.valid)
                onChange({ ...value, atLeast: target.valueAsNumber });
            }}
          />
          matches within
          <select
            aria-label="Within"
            className="control !w-auto"
            value={value.span}
            onChange={({ target }) => onChange({ ...value, span: target.value as ViewAlertSpan })}
          >
            {VIEW_ALERT_SPANS.map((span) => (
              <option key={span} value={span}>
                {SPAN_NAMES[span]}
              </option>
            ))}
          </select>
        </span>
      )}
    </div>
  );
}
