// Bridge to the system library; the check below turns a missing header into a message that names the package. No
// program is linked with it: it is opened when it is first used (LateLibraries).
#pragma once

#if !__has_include(<tss2/tss2_esys.h>)
#error "tss2/tss2_esys.h is missing: install it with  apt-get install libtss2-dev  (or run  make deps)"
#else
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_rc.h>
#include <tss2/tss2_tctildr.h>

// The functions that are called, each once.
#define TSS2_FUNCTIONS(each) \
    each(Esys_Create) \
    each(Esys_CreatePrimary) \
    each(Esys_EvictControl) \
    each(Esys_Finalize) \
    each(Esys_FlushContext) \
    each(Esys_Free) \
    each(Esys_GetCapability) \
    each(Esys_Initialize) \
    each(Esys_Load) \
    each(Esys_NV_DefineSpace) \
    each(Esys_NV_Increment) \
    each(Esys_NV_Read) \
    each(Esys_NV_ReadPublic) \
    each(Esys_NV_UndefineSpace) \
    each(Esys_NV_Write) \
    each(Esys_PCR_Read) \
    each(Esys_PolicyAuthValue) \
    each(Esys_PolicyCommandCode) \
    each(Esys_PolicyNV) \
    each(Esys_PolicyNvWritten) \
    each(Esys_PolicyOR) \
    each(Esys_PolicyPCR) \
    each(Esys_PolicySecret) \
    each(Esys_ReadPublic) \
    each(Esys_Sign) \
    each(Esys_StartAuthSession) \
    each(Esys_Startup) \
    each(Esys_TRSess_SetAttributes) \
    each(Esys_TR_Close) \
    each(Esys_TR_FromTPMPublic) \
    each(Esys_TR_GetName) \
    each(Esys_TR_Serialize) \
    each(Esys_TR_SetAuth) \
    each(Esys_Unseal) \
    each(Tss2_MU_TPM2B_NV_PUBLIC_Unmarshal) \
    each(Tss2_MU_TPM2B_PUBLIC_Marshal) \
    each(Tss2_MU_TPM2B_PUBLIC_Unmarshal) \
    each(Tss2_TctiLdr_Finalize) \
    each(Tss2_TctiLdr_Initialize)

// Their addresses, in this order.
#define TSS2_ADDRESS(name) __typeof__(name) *_Nonnull name;
struct tss2_functions {
    TSS2_FUNCTIONS(TSS2_ADDRESS)
};
#undef TSS2_ADDRESS

// Their names, ended by NULL.
static inline const char *_Nullable const *_Nonnull tss2_function_names(void) {
#define TSS2_NAME(name) #name,
    static const char *const names[] = {TSS2_FUNCTIONS(TSS2_NAME) 0};
#undef TSS2_NAME
    return names;
}
#endif
