# shellcheck shell=bash
# A validator for each who signs: their folders, secrets and configurations. scripts/install-signed.sh and casemate-vigil-user read this;
# they set before:
#
#   me              who runs the script
#   validator_user  whose the validators are
#   group_id        the number of the group that casemate is set-group-ID to; needed where validator_user is another than me
#   root, manifest  where the programs are installed, and their signed manifest
#   hardware        yes where keys have to be in a TPM
#   prefixes        further members of both configurations, or nothing
#   tpm             the device, if it is another than the kernel's

tpm="${tpm:-/dev/tpmrm0}"

# hardware_of auto|yes|no: yes or no.
hardware_of() {
    case "$1" in
    auto) if [ -e "$tpm" ]; then echo yes; else echo no; fi ;;
    yes | no) echo "$1" ;;
    *) return 1 ;;
    esac
}

# may_use_tpm USER: where there is one.
may_use_tpm() {
    [ -e "$tpm" ] || return 0
    if [ "$1" = "$me" ]; then
        [ -r "$tpm" ] && [ -w "$tpm" ]
    else
        runuser -u "$1" -- sh -c '[ -r "$1" ] && [ -w "$1" ]' sh "$tpm"
    fi
}

# tpm_group: the group by which the TPM is used, nothing where everybody may use it; fails where nobody but root may.
tpm_group() {
    case "$(stat -c %A "$tpm")" in
    ???????rw?) ;;
    ????rw*) [ "$(stat -c %g "$tpm")" -ne 0 ] && getent group "$(stat -c %g "$tpm")" | cut -d: -f1 | grep . ;;
    *) return 1 ;;
    esac
}

# tpm_refusal USER...: why they, or the validators' user, cannot use the TPM and what to do; nothing where they can, or where there is none.
tpm_refusal() {
    local user group
    [ -e "$tpm" ] || return 0
    group="$(tpm_group)" || {
        [ "$validator_user" = "$me" ] && may_use_tpm "$me" || echo "$tpm is root's alone: install tpm-udev, which gives it a group"
        return 0
    }
    for user in "$@"; do
        may_use_tpm "$user" || echo "$user may not use the TPM: run usermod -aG $group $user"
    done
}

# admit_to_tpm USER: by its group, which is not root's.
admit_to_tpm() {
    local group
    [ -e "$tpm" ] || return 0
    group="$(tpm_group)" || return 1
    [ -z "$group" ] || usermod -aG "$group" "$1"
}

# members_of GROUP: who is in it, and so could look into casemate.
members_of() {
    local id
    id="$(getent group "$1" | cut -d: -f3)"
    echo "$(getent group "$1" | cut -d: -f4)$(getent passwd | awk -F: -v id="$id" '$4 == id { print " " $1 }')"
}

# put MODE FILE: gives FILE.new its mode and its name, when all of it is on the disk.
put() {
    chmod "$1" "$2.new"
    sync "$2.new"
    mv "$2.new" "$2"
}

# secret FILE OWNER [LIKE]: 32 random bytes, or those of another file, that nobody else reads. Complete, or not there.
secret() {
    [ ! -s "$1" ] || return 0
    if [ -n "${3:-}" ]; then cp "$3" "$1.new"; else head -c 32 /dev/urandom >"$1.new"; fi
    if [ "$2" != "$me" ]; then chown "$2:" "$1.new"; fi
    put 600 "$1"
}

# folder MODE OWNER[:GROUP] PATH
folder() {
    mkdir -p "$3"
    if [ "${2%%:*}" != "$me" ]; then chown "$2" "$3"; fi
    chmod "$1" "$3"
}

# configuration FILE STATE SOCKET UID TOKEN MORE: written once, so that what was changed in it stays.
configuration() {
    [ ! -s "$1" ] || return 0
    local required=""
    if [ "$hardware" = yes ]; then
        required=",
  \"requireHardware\": true"
    fi
    cat >"$1.new" <<END
{
  "product": "casemate",
  "bundleRoot": "$root",
  "manifest": "$manifest",
  "socketPath": "$3",
  "stateDirectory": "$2",
  "allowedUids": [$4],
  "provisioning": { "tokenFile": "$5" }$required$prefixes${6:-}
}
END
    put 644 "$1"
}

# requires_hardware FILE: whether the keys of this configuration have to be in a TPM.
requires_hardware() { grep -q '"requireHardware" *: *true' "$1"; }

# soft_of ETC...: the configurations in these folders that do not require it, each on a line. What is there stays, whatever is asked for.
soft_of() {
    local etc file
    for etc in "$@"; do
        for file in "$etc/vigil-app.json" "$etc/vigil-validator.json"; do
            [ ! -s "$file" ] || requires_hardware "$file" || echo "$file"
        done
    done
}

# softness_refusal ETC...: why keys do not have to be in a TPM though VIGIL_HARDWARE=yes says so, and what to do; nothing where they will have to.
softness_refusal() {
    local soft
    soft="$(soft_of "$@" | paste -sd, | sed 's/,/, /g')"
    [ -z "$soft" ] || echo "these configurations do not require hardware, and stay as they are: $soft. Add \"requireHardware\": true to each. Where \
their keys are in software (vigil-validate says so), unbind the vault before, and empty both state folders, and pin again"
}

# say_keys ETC...: where keys are, by what the configurations say.
say_keys() {
    local soft
    soft="$(soft_of "$@")"
    if [ -z "$soft" ]; then
        echo "Keys of program and validator have to be in the TPM."
    else
        echo "Keys of program and validator may be in software, where they are bound to this machine against careless copying alone."
        if [ "$hardware" = yes ]; then
            echo "There is a TPM now. To require it, add \"requireHardware\": true to"
            printf '%s\n' "$soft" | sed 's/^/  /'
        fi
    fi
}

# admit_installed FILE: the configuration of a validator, of an older installation too, admits the installed casemate alone.
admit_installed() {
    if grep -q '"installedGroup"' "$1"; then
        sed "s/\"installedGroup\" *: *[0-9]*/\"installedGroup\": $group_id/" "$1" >"$1.new"
    else
        sed "0,/{/s/{/{\n  \"installedGroup\": $group_id,/" "$1" >"$1.new"
    fi
    put 644 "$1"
}

# pair ETC STATE RUN USER GROUP: the validator of a user. The token is read by both sides, which are two users: each has a copy.
pair() {
    local etc="$1" state="$2" run="$3" user="$4" token="$1/vigil-token"
    folder 700 "$user:" "$state/app"
    folder 700 "$validator_user:" "$state/validator"
    # What the validator makes in it, its socket, is of the folder's group.
    folder "$([ "$user" = "$validator_user" ] && echo 700 || echo 2750)" "$validator_user:$5" "$run"
    secret "$etc/vigil-grant" "$validator_user"
    secret "$token" "$validator_user"
    if [ "$user" != "$validator_user" ]; then
        secret "$etc/vigil-app-token" "$user" "$token"
        token="$etc/vigil-app-token"
    fi
    configuration "$etc/vigil-app.json" "$state/app" "$run/vigil.sock" "$(id -u "$validator_user")" "$token"
    configuration "$etc/vigil-validator.json" "$state/validator" "$run/vigil.sock" "$(id -u "$user")" "$etc/vigil-token" ",
  \"grantFile\": \"$etc/vigil-grant\""
    if [ "$user" != "$validator_user" ]; then admit_installed "$etc/vigil-validator.json"; fi
}
