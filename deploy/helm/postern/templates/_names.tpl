{{- define "postern.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "postern.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "postern.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{ include "postern.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "postern.image" -}}
{{ required "image.repository must name the image that you built" .Values.image.repository }}{{ with .Values.image.digest }}@{{ . }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end -}}

{{- define "postern.databaseSecret" -}}
{{ required "database.existingSecret must name the Secret with the database's URL" .Values.database.existingSecret }}
{{- end -}}

{{- define "postern.databaseSetting" -}}
{{- if .Values.database.asFile -}}
- name: POSTERN_DATABASE_URL_FILE
  value: /run/secrets/database/url
{{- else -}}
- name: POSTERN_DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ include "postern.databaseSecret" . }}
      key: {{ .Values.database.key }}
{{- end -}}
{{- end -}}

{{- define "postern.databaseVolume" -}}
- name: database
  secret:
    secretName: {{ include "postern.databaseSecret" . }}
    defaultMode: 0440
    items:
      - key: {{ .Values.database.key }}
        path: url
{{- end -}}
