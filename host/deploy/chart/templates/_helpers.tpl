{{- define "wayzone.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}, app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* Variables that have a value. */}}
{{- define "wayzone.given" -}}
{{- range $name, $value := . }}
{{- if ne (toString $value) "" }}
{{ $name }}: {{ toString $value | quote }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Pods run as the user `node` of the image, and get nothing of the cluster. */}}
{{- define "wayzone.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
imagePullSecrets: {{ toJson .Values.image.pullSecrets }}
securityContext:
  { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000, seccompProfile: { type: RuntimeDefault } }
terminationGracePeriodSeconds: 30
volumes:
  - { name: tmp, emptyDir: {} }
  - { name: data, emptyDir: { sizeLimit: {{ .Values.dataSize }} } }
{{- end }}

{{- define "wayzone.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
envFrom:
  - configMapRef: { name: {{ .Release.Name }}-settings }
  - secretRef: { name: {{ .Values.existingSecret | default (print .Release.Name "-secrets") }} }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: data, mountPath: /data }
{{- end }}
