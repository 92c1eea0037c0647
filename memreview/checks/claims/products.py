"""Names of well-known programs, services and languages: names wherever they stand, also at the start of a sentence."""

from __future__ import annotations

UNMISTAKABLE = frozenset(
    """
    postgres postgresql mysql mariadb sqlite mongodb redis valkey memcached dynamodb couchdb clickhouse elasticsearch
    opensearch cockroachdb timescaledb influxdb neo4j duckdb snowflake bigquery redshift supabase firebase planetscale
    kafka rabbitmq activemq nats zeromq mosquitto mqtt celery sidekiq airflow dagster kubernetes docker podman
    containerd nomad terraform pulumi ansible vagrant kustomize argocd istio linkerd traefik nginx haproxy apache2
    cloudflare fastly akamai heroku netlify vercel render digitalocean hetzner aws gcp azure lambda cloudwatch kibana
    logstash fluentd grafana prometheus loki jaeger zipkin opentelemetry datadog newrelic splunk rollbar bugsnag
    pagerduty opsgenie nagios zabbix github gitlab bitbucket gitea jenkins circleci travisci buildkite teamcity bamboo
    drone jira trello asana zendesk mattermost zulip keycloak auth0 okta ldap oauth saml kerberos django flask fastapi
    laravel symfony rails sinatra nestjs nextjs nuxt svelte vuejs jquery tailwind htmx typescript javascript python
    kotlin scala haskell clojure erlang elixir ocaml fortran cobol php pytest jest vitest mocha cypress playwright
    selenium webpack vite esbuild rollup eslint prettier npm pnpm yarn pip poetry numpy pandas pytorch tensorflow
    keras scikit jupyter airbyte dbt linux ubuntu debian fedora centos alpine macos windows android ios stripe paypal
    twilio sendgrid mailgun mailchimp shopify wordpress drupal openai anthropic chatgpt claude gemini mistral llama
    photoshop figma blender inkscape
    """.split()
)
"""In small letters too they are hardly anything else."""
CAPITALISED = UNMISTAKABLE | frozenset(
    """
    vault consul caddy spark flink storm beam hive presto trino druid hadoop cassandra oracle neptune aurora solr lucene
    puppet chef salt packer helm flux rancher harbor envoy kong squid varnish apache tomcat jetty
    sentry tempo mimir thanos graylog slack teams zoom discord notion linear confluence basecamp miro
    react angular vue ember backbone meteor express koa remix astro gatsby hugo jekyll phoenix spring quarkus micronaut
    rust go ruby java swift perl lua dart julia groovy
    gradle maven bazel ant cmake meson ninja make mercurial subversion git fossil
    drone travis bamboo argo tekton spinnaker excel word outlook powerpoint access sharepoint
    fly railway render linode vultr ovh chrome firefox safari edge opera
    unity godot unreal qt electron flutter xamarin ionic cordova capacitor
    """.split()
)
"""Names where they have a capital."""
